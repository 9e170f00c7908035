"""Writes src/hedgerow/datasets/questions.tk: English questions with their parses and what they ask for.

    python tools/make_questions.py

A template is a Penn-style parse with slots; a slot is filled with one of the phrases below. Many words occur in
questions of several classes ("What writer left the town?", "What town did the writer leave?"), so that it takes
more than a look at the words to tell the classes apart.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

OUTPUT = Path(__file__).parents[1] / "src" / "hedgerow" / "datasets" / "questions.tk"
PER_CLASS = 50

HEADER = """\
# English questions, parsed by hand, with the class of the answer that they ask for:
# ABBR abbreviation, DESC description, ENTY thing, HUM person or group, LOC place, NUM number or date.
# Written for hedgerow, from the templates in tools/make_questions.py; under hedgerow's licence.
"""


def nouns(tag: str, words: str) -> list[str]:
    return [f"({tag} {word})" for word in words.split()]


def phrases(*texts: str) -> list[str]:
    return list(texts)


SLOTS: dict[str, list[str]] = {
    # Nouns that say what is asked for when they follow "what", and that are just there elsewhere.
    "person": nouns("NN", "writer singer painter captain teacher chemist farmer poet actor king baker nurse"),
    "people": nouns("NNS", "writers singers sailors teachers farmers poets bakers children students"),
    "group": nouns("NN", "company team band family school bank crew"),
    "place": nouns("NN", "city town country island village valley harbour state province port"),
    "places": nouns("NNS", "cities towns countries islands villages rivers bridges"),
    "time": nouns("NN", "year month century summer decade season"),
    "thing": nouns("NN", "song bird instrument boat flower novel dish garden statue fruit tool horse"),
    "things": nouns("NNS", "songs birds novels boats flowers gardens statues horses ships letters"),
    # Names.
    "name": phrases(
        "(NP (NNP Ada) (NNP Brook))",
        "(NP (NNP Oskar) (NNP Lind))",
        "(NP (NNP Maria) (NNP Costa))",
        "(NP (NNP Captain) (NNP Holt))",
        "(NP (NNP Tom) (NNP Alder))",
        "(NP (NNP Queen) (NNP Edda))",
        "(NP (NNP Doctor) (NNP Wren))",
    ),
    "spot": phrases(
        "(NP (NNP Norway))",
        "(NP (NNP Lisbon))",
        "(NP (NNP Kenya))",
        "(NP (NNP Peru))",
        "(NP (DT the) (NNP Danube))",
        "(NP (DT the) (NNP Alps))",
        "(NP (NNP Iceland))",
        "(NP (NNP Kyoto))",
    ),
    "land": nouns("NNP", "Norway Kenya Peru Iceland Chile Nepal"),
    "short": nouns("NNP", "NASA DNA UFO NATO RAM PIN HTML LED GPS SUV CEO ATM UNESCO ZIP"),
    "long": phrases(
        "(NP (NN kilogram))",
        "(NP (NN doctor))",
        "(NP (NN avenue))",
        "(NP (NN television))",
        "(NP (NN mister))",
        "(NP (NN horse) (NN power))",
        "(NP (JJ personal) (NN computer))",
        "(NP (JJ compact) (NN disc))",
        "(NP (JJ general) (NN practitioner))",
    ),
    "idea": phrases(
        "(NP (DT a) (NN quark))",
        "(NP (DT a) (NN sonnet))",
        "(NP (DT an) (NN eclipse))",
        "(NP (DT a) (NN glacier))",
        "(NP (NN inflation))",
        "(NP (NN gravity))",
        "(NP (DT a) (NN kilogram))",
        "(NP (DT a) (NN fjord))",
        "(NP (DT a) (JJ leap) (NN year))",
        "(NP (DT a) (NN harbour) (NN master))",
    ),
    "word": nouns("NN", "fjord sonnet quark tundra monsoon harbour poet decade"),
    "stuff": phrases(
        "(NP (NN honey))",
        "(NP (NN glass))",
        "(NP (NN paper))",
        "(NP (NN cheese))",
        "(NP (NN steel))",
        "(NP (NN bread))",
        "(NP (NN silk))",
    ),
    "event": phrases(
        "(NP (NN rain))",
        "(NP (NNS tides))",
        "(NP (NNS earthquakes))",
        "(NP (DT the) (NN wind))",
        "(NP (NNS hiccups))",
        "(NP (NN rust))",
        "(NP (NN thunder))",
    ),
    # Verbs.
    "did": nouns("VBD", "left found painted described visited remembered drew loved praised saw"),
    "do": nouns("VB", "leave find paint describe visit remember draw love praise see"),
    "best": nouns("JJS", "largest oldest smallest tallest best finest"),
    "much": nouns("JJ", "tall old big wide famous quiet"),
    "det": nouns("DT", "the the this"),
    "what": phrases("(WDT What)", "(WDT Which)"),
    "which": phrases("(WDT what)", "(WDT which)"),
}
# Phrases made of others.
SLOTS |= {
    "who": ["(NP {det} {person})", "(NP {det} {person})", "{name}", "(NP {det} {group})"],
    "where": ["(NP {det} {place})", "(NP {det} {place})", "{spot}"],
    "what_thing": ["(NP {det} {thing})", "(NP (DT the) {best} {thing})", "(NP (DT the) {things})"],
    "sight": ["{where}", "(NP {det} {thing})"],
    "any": ["{who}", "{where}", "{what_thing}"],
    "when": [
        "(PP (IN in) (NP {det} {time}))",
        "(PP (IN during) (NP {det} {time}))",
        "(PP (IN after) (NP {det} {time}))",
    ],
    "end": ["(. ?)"],
}

# ruff: noqa: E501 (a template reads best on one line)
TEMPLATES: dict[str, list[str]] = {
    "ABBR": [
        "(SBARQ (WHNP (WP What)) (SQ (VBZ does) (NP {short}) (VP (VB stand) (PP (IN for)))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ does) (NP (DT the) (NN abbreviation) {short}) (VP (VB mean))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP {short}) (ADJP (JJ short) (PP (IN for)))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (JJ full) (NN form)) (PP (IN of) (NP {short})))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN abbreviation)) (PP (IN of) {long}))) {end})",
        "(SBARQ (WHADVP (WRB How)) (SQ (VBZ is) {long} (VP (VBN abbreviated))) {end})",
        "(SBARQ (WHADVP (WRB How)) (SQ (MD can) (NP (PRP you)) (VP (VB shorten) {long})) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBP do) (NP (NP (DT the) (NNS letters)) (PP (IN in) (NP {short}))) (VP (VB stand) (PP (IN for)))) {end})",
        "(SBARQ (WHNP {what} (NNS words)) (SQ (VBP do) (NP (DT the) (NNS letters) {short}) (VP (VB stand) (PP (IN for)))) {end})",
        "(S (VP (VB Give) (NP (NP (DT the) (NN abbreviation)) (PP (IN for) {long}))) (. .))",
    ],
    "DESC": [
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) {idea}) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ does) (NP (DT the) (NN word) {word}) (VP (VB mean))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VP (VBZ causes) {event})) {end})",
        "(SBARQ (WHADVP (WRB How)) (SQ (VBP do) (NP {people}) (VP (VB make) {stuff})) {end})",
        "(SBARQ (WHADVP (WRB How)) (SQ (VBZ is) {stuff} (VP (VBN made))) {end})",
        "(SBARQ (WHADVP (WRB How)) (SQ (VBD did) {who} (VP {do} {where})) {end})",
        "(SBARQ (WHADVP (WRB Why)) (SQ (VBD did) {who} (VP {do} {any} {when})) {end})",
        "(SBARQ (WHADVP (WRB Why)) (SQ (VBP are) (NP {things}) (ADJP {much})) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN reason)) (SBAR (IN that) (S {who} (VP {did} {where}))))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN history)) (PP (IN of) {any}))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN difference)) (PP (IN between) (NP {idea} (CC and) {idea})))) {end})",
        "(S (VP (VB Describe) (NP (NP (DT the) (NN life)) (PP (IN of) {who}))) (. .))",
        "(S (VP (VB Explain) (SBAR (WHADVP (WRB how)) (S (NP {people}) (VP (VBP make) {stuff})))) (. .))",
        "(S (VP (VB Explain) (SBAR (WHNP (WP what)) (S (VP (VBZ causes) {event})))) (. .))",
    ],
    "ENTY": [
        "(SBARQ (WHNP {what} {thing}) (SQ (VBD did) {who} (VP {do} {when})) {end})",
        "(SBARQ (WHNP {what} {thing}) (SQ (VBD did) {who} (VP {do} (PP (IN in) {where}))) {end})",
        "(SBARQ (WHNP {what} {thing}) (SQ (VBD was) (VP (VBN made) (PP (IN by) {who}))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBD did) {who} (VP {do} (PP (IN in) {where}))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBP do) (NP {people}) (VP (VB make) (PP (IN from) {stuff}))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) {best} {thing}) (PP (IN in) {where}))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN name)) (PP (IN of) (NP (NP {det} {thing}) (SBAR (WHNP (WDT that)) (S {who} (VP {did}))))))) {end})",
        "(S (VP (VB Name) (NP (NP (DT a) {thing}) (SBAR (WHNP (WDT that)) (S {who} (VP {did} {when}))))) (. .))",
        "(S (VP (VB Name) (NP (NP (DT the) {best} {thing}) (PP (IN of) {where}))) (. .))",
        "(SBARQ (PP (IN About) (WHNP {which} {thing})) (SQ (VBD did) {who} (VP (VB write) {when})) {end})",
        "(SBARQ (WHNP (WDT What) (NN colour)) (SQ (VBZ is) {sight}) {end})",
        "(SBARQ (WHNP {what} {thing}) (SQ (VBZ is) (VP (VBN found) (PP (IN in) {where}))) {end})",
        "(SBARQ (WHNP (WHNP (WDT What) (NN kind)) (PP (IN of) (NP {thing}))) (SQ (VBD did) {who} (VP {do})) {end})",
    ],
    "HUM": [
        "(SBARQ (WHNP (WP Who)) (SQ (VP {did} {any} {when})) {end})",
        "(SBARQ (WHNP (WP Who)) (SQ (VBD was) (NP (NP (DT the) {person}) (SBAR (WHNP (WP who)) (S (VP {did} {any}))))) {end})",
        "(SBARQ (WHNP (WP Who)) (SQ (VBD did) {who} (VP {do} {when})) {end})",
        "(SBARQ (WHNP {what} {person}) (SQ (VP {did} {where} {when})) {end})",
        "(SBARQ (WHNP {what} {person}) (SQ (VP {did} {what_thing})) {end})",
        "(SBARQ (WHNP {what} {group}) (SQ (VP {did} {any})) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN name)) (PP (IN of) (NP (NP {det} {person}) (SBAR (WHNP (WP who)) (S (VP {did} {any}))))))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP {det} {person} (POS 's)) (NN name))) {end})",
        "(S (VP (VB Name) (NP (NP (DT a) {person}) (SBAR (WHNP (WDT that)) (S (VP {did} {where}))))) (. .))",
        "(S (VP (VB Name) (NP (NP (DT the) {person}) (PP (IN of) {where}))) (. .))",
        "(SBARQ (PP (IN By) (WHNP (WP whom))) (SQ (VBD was) (NP {det} {thing}) (VP (VBN made))) {end})",
        "(SBARQ (WHNP (WP$ Whose) {things}) (SQ (VBD did) {who} (VP {do})) {end})",
    ],
    "LOC": [
        "(SBARQ (WHADVP (WRB Where)) (SQ (VBD did) {who} (VP {do} {what_thing})) {end})",
        "(SBARQ (WHADVP (WRB Where)) (SQ (VBZ is) {where}) {end})",
        "(SBARQ (WHADVP (WRB Where)) (SQ (MD can) (NP (PRP you)) (VP (VB find) {what_thing})) {end})",
        "(SBARQ (WHNP {what} {place}) (SQ (VBD did) {who} (VP {do} {when})) {end})",
        "(SBARQ (WHNP {what} {place}) (SQ (VBZ has) (NP (DT the) {best} {things})) {end})",
        "(SBARQ (PP (IN In) (WHNP {which} {place})) (SQ (VBD did) {who} (VP {do} {what_thing})) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) {best} {place}) (PP (IN in) {where}))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN capital)) (PP (IN of) (NP {land})))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN name)) (PP (IN of) (NP (NP {det} {place}) (SBAR (WHADVP (WRB where)) (S {who} (VP {did} {what_thing}))))))) {end})",
        "(S (VP (VB Name) (NP (NP (DT a) {place}) (SBAR (WHNP (WDT that)) (S {who} (VP {did} {when}))))) (. .))",
        "(S (VP (VB Name) (NP (NP (DT the) {best} {place}) (PP (IN of) {where}))) (. .))",
        "(SBARQ (WHNP {what} {place}) (SQ (VBZ is) (NP (NP (DT the) (NN home)) (PP (IN of) {who}))) {end})",
    ],
    "NUM": [
        "(SBARQ (WHADVP (WRB When)) (SQ (VBD did) {who} (VP {do} {any})) {end})",
        "(SBARQ (WHNP {what} {time}) (SQ (VBD did) {who} (VP {do} {any})) {end})",
        "(SBARQ (PP (IN In) (WHNP {which} {time})) (SQ (VBD was) (NP {det} {thing}) (VP (VBN made))) {end})",
        "(SBARQ (WHNP (WHADJP (WRB How) (JJ many)) {people}) (SQ (VP {did} {where})) {end})",
        "(SBARQ (WHNP (WHADJP (WRB How) (JJ many)) {things}) (SQ (VBD did) {who} (VP {do} {when})) {end})",
        "(SBARQ (WHNP (WHADJP (WRB How) (JJ many)) {places}) (SQ (VBP are) (NP (EX there)) (PP (IN in) {where})) {end})",
        "(SBARQ (WHADJP (WRB How) {much}) (SQ (VBZ is) {sight}) {end})",
        "(SBARQ (WHADVP (WRB How) (RB long)) (SQ (VBD did) {who} (VP (VB stay) (PP (IN in) {where}))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN population)) (PP (IN of) {where}))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN price)) (PP (IN of) {what_thing}))) {end})",
        "(SBARQ (WHNP (WP What)) (SQ (VBZ is) (NP (NP (DT the) (NN distance)) (PP (IN between) (NP {where} (CC and) {spot})))) {end})",
        "(S (VP (VB Name) (NP (NP (DT the) {time}) (SBAR (WHADVP (WRB when)) (S {who} (VP {did} {any}))))) (. .))",
        "(SBARQ (WHNP (WP What)) (SQ (VBD was) (NP (NP (DT the) {time}) (SBAR (WHADVP (WRB when)) (S {who} (VP {did} {where}))))) {end})",
    ],
}


def fill(template: str, choose: random.Random) -> str:
    """The template with all slots filled, those of the fillings too."""
    while slot := re.search(r"\{(\w+)\}", template):
        template = template[: slot.start()] + choose.choice(SLOTS[slot[1]]) + template[slot.end() :]
    return template


def make_lines() -> list[str]:
    choose = random.Random(2026)
    seen: set[str] = set()
    lines = []
    for label, templates in TEMPLATES.items():
        trees: list[str] = []
        while len(trees) < PER_CLASS:
            tree = fill(templates[len(trees) % len(templates)], choose)
            said = re.findall(r"\((?:NN|NNS|NNP|JJS) \w+\)", tree)
            if tree not in seen and len(set(said)) == len(said):  # no "between gravity and gravity"
                seen.add(tree)
                trees.append(tree)
        lines += [f"{label} |BT| {tree} |ET|" for tree in trees]
    choose.shuffle(lines)
    return lines


if __name__ == "__main__":
    OUTPUT.write_text(HEADER + "".join(f"{line}\n" for line in make_lines()), encoding="utf-8")
