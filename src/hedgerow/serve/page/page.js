// Asks for a prediction, shows why, and sends corrections. Everything goes in as text, never as HTML.
"use strict";
{
  const base = document.body.dataset.base, kind = document.body.dataset.kind;
  const learns = document.body.dataset.learns === "yes";
  const form = document.getElementById("ask"), field = document.getElementById("example");
  const problem = document.getElementById("problem"), answer = document.getElementById("answer");

  const make = (tag, text, settings = {}) =>
    Object.assign(document.createElement(tag), { textContent: text, ...settings });

  const send = async (path, body) => {
    const reply = await fetch(base + path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const told = await reply.json();
    if (!reply.ok) throw new Error(told.detail);
    return told;
  };

  const attempt = async (work) => {
    problem.textContent = "";
    try {
      await work();
    } catch (error) {
      problem.textContent = error.message;
    }
  };

  const typed = () => {
    const text = field.value;
    if (kind === "text") return text;
    if (kind === "tokens" && !text.trim().startsWith("[")) return text.trim().split(/\s+/);
    try {
      return JSON.parse(text);
    } catch {
      throw new Error("This is not JSON.");
    }
  };

  const refresh = async () => {
    const reply = await fetch(location.href);
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const id of ["figures", "curve", "mistakes", "history"]) {
      document.getElementById(id).replaceWith(document.adoptNode(page.getElementById(id)));
    }
  };

  const table = (headings, rows, title) => {
    const box = make("div", "", { className: "scroll", tabIndex: 0 });
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", title);
    const found = box.appendChild(make("table", "")), head = found.createTHead().insertRow();
    for (const heading of headings) head.append(make("th", heading, { scope: "col" }));
    const body = found.createTBody();
    for (const [first, ...rest] of rows) {
      const row = body.insertRow();
      row.append(make("th", first, { scope: "row" }), ...rest.map((cell) => make("td", cell, { className: "number" })));
    }
    return box;
  };

  const number = (value) => (value > 0 ? "+" : "") + value.toPrecision(4);

  const reasons = (told, label) => {
    if (!told || told.error) return [make("p", told ? told.error : "", { className: "aside" })];
    const accounts = told.scores || told.tokens || [];
    const chosen = accounts.find((one) => one.label === label) || accounts[0];
    if (!chosen || !chosen.contributions.length) return [make("p", "Nothing known speaks for or against it.")];
    const rows = chosen.contributions.map((one) => [one.feature || one.fragment || one.tree || Object.values(one)[0],
      number(one.contribution)]);
    return [make("h3", `What decided: the score of ${chosen.label}`), table(["part", "adds"], rows, "What decided")];
  };

  const key = () => `page-${Date.now()}-${Math.random().toString(36).slice(2)}`;

  const correct = async (id, label, buttons) => {
    buttons.forEach((button) => (button.disabled = true));
    await attempt(async () => {
      const one = { key: key(), id, label };
      const { positions } = await send("/feedback?wait=position", { feedback: [one] });
      answer.append(make("p", `Learned, at position ${positions[0]}.`, { id: "learned" }));
      await refresh();
    });
    if (problem.textContent) buttons.forEach((button) => (button.disabled = false));
  };

  const choices = (one) => {
    if (!learns) return [];
    const box = make("div", "", { className: "choices" });
    if (Array.isArray(one.label)) {
      const line = make("input", "", { value: one.label.join(" "), ariaLabel: "The right labels" });
      const button = make("button", "These are right", { type: "button" });
      button.onclick = () => correct(one.id, line.value.trim().split(/\s+/), [button]);
      box.append(line, button);
    } else {
      const buttons = Object.keys(one.scores).map((label) => {
        const right = label === String(one.label);
        return make("button", right ? `Yes, ${label}` : `No, ${label}`, {
          type: "button", className: right ? "" : "plain", value: label,
        });
      });
      for (const button of buttons) button.onclick = () => correct(one.id, button.value, buttons);
      box.append(...buttons);
    }
    return [make("h3", "Is it right?"), box];
  };

  const show = ({ position, predictions: [one] }) => {
    const label = Array.isArray(one.label) ? one.label.join(" ") : String(one.label);
    const rows = Object.entries(one.scores).map(([name, score]) =>
      [name, number(score), ...(one.probabilities ? [one.probabilities[name].toFixed(3)] : [])]);
    const headings = ["label", "score", ...(one.probabilities ? ["probability"] : [])];
    answer.replaceChildren(
      make("p", label, { className: "answer" }),
      make("p", `said by the model at position ${position}`, { className: "aside" }),
      ...(rows.length ? [table(headings, rows, "Scores")] : []),
      ...choices(one),
      ...reasons(one.explanation, one.label),
    );
    answer.focus();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => show(await send("/predict", { examples: [typed()], explain: true })));
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
}
