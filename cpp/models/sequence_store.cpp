#include "models/sequence_store.hpp"

#include <stdexcept>

namespace hedgerow::models {

namespace {

constexpr std::int32_t last_code_point = 0x10FFFF;

// Symbols and tokens that SequenceItems point to.
struct OwnSequences {
  std::vector<std::int32_t> symbols;
  std::vector<std::int64_t> begin{0};
  Texts tokens;
};

}  // namespace

SequenceStore::Reader::Reader(const SequenceStore& store, const Items& batch, std::int64_t begin,
                              std::int64_t end)
    : batch_(store.check(batch)) {
  if (!batch_.tokens) return;
  codes_.use(batch_.tokens);
  const kernels::Sequences& all = batch_.sequences;
  for (std::int64_t i = all.begin[begin]; i < all.begin[end]; ++i) codes_.find(all.symbols[i], store.tokens_);
}

SequenceStore::Item SequenceStore::Reader::operator()(std::int64_t item, Scratch& scratch) const {
  const Item symbols = batch_.sequences[item];
  if (!batch_.tokens) return symbols;
  scratch.clear();
  for (std::int32_t token : symbols) scratch.push_back(codes_.data()[token]);
  return scratch;
}

const SequenceItems& SequenceStore::check(const Items& batch) const {
  const auto& items = items_as<SequenceItems>(batch, "strings or token lists");
  const Kind kind = items.tokens ? Kind::token_lists : Kind::strings;
  if (kind_ != Kind::not_known && kind != kind_ && items.size() > 0)
    throw std::invalid_argument(std::string("the model was made of ") +
                                (kind_ == Kind::strings ? "strings" : "token lists") + ", got " +
                                items.kind());
  return items;
}

void SequenceStore::open(std::shared_ptr<const Items> batch) {
  check(*batch);
  batch_ = std::static_pointer_cast<const SequenceItems>(std::move(batch));
  if (batch_->tokens) codes_.use(batch_->tokens);
}

SequenceStore::Item SequenceStore::item(std::int64_t item) {
  const Item symbols = batch_->sequences[item];
  if (!batch_->tokens) return symbols;
  scratch_.clear();
  for (std::int32_t token : symbols) {
    codes_.find(token, tokens_);
    scratch_.push_back(codes_.data()[token]);
  }
  return scratch_;
}

void SequenceStore::append(std::int32_t slot, Item symbols) {
  if (slot == slots()) places_.emplace_back();
  places_[slot] = {symbols_.size(), static_cast<std::int64_t>(symbols.size())};
  symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
}

void SequenceStore::put(std::int32_t slot, std::int64_t item) {
  const Item symbols = batch_->sequences[item];
  kind_ = batch_->tokens ? Kind::token_lists : Kind::strings;
  if (!batch_->tokens) {
    append(slot, symbols);
    return;
  }
  scratch_.clear();
  for (std::int32_t token : symbols) {
    scratch_.push_back(tokens_.intern((*batch_->tokens)[token]));
    codes_.set(token, scratch_.back());
  }
  append(slot, scratch_);
}

void SequenceStore::erase(std::int32_t slot) {
  if (is_free(slot)) return;
  garbage_ += static_cast<std::size_t>(places_[slot].length);
  places_[slot] = {};
}

std::shared_ptr<const Items> SequenceStore::supports(std::span<const std::int32_t> slots) const {
  auto own = std::make_shared<OwnSequences>();
  std::vector<std::int32_t> number(tokens_.size(), -1);
  for (std::int32_t slot : slots) {
    if (is_free(slot)) throw std::invalid_argument("slot " + std::to_string(slot) + " is free");
    for (std::int32_t symbol : support(slot)) {
      if (kind_ == Kind::token_lists) {
        if (number[symbol] < 0) number[symbol] = own->tokens.intern(tokens_[symbol]);
        symbol = number[symbol];
      }
      own->symbols.push_back(symbol);
    }
    own->begin.push_back(static_cast<std::int64_t>(own->symbols.size()));
  }
  auto items = std::make_shared<SequenceItems>();
  items->sequences = {own->symbols, own->begin};
  if (kind_ == Kind::token_lists) items->tokens = {own, &own->tokens};
  items->owner = own;
  return items;
}

SequenceStore SequenceStore::compacted() const {
  SequenceStore result;
  result.kind_ = kind_;
  result.places_.resize(places_.size());
  std::vector<std::int32_t> number(tokens_.size(), -1);
  Scratch symbols;
  for (std::int32_t slot = 0; slot < slots(); ++slot) {
    if (is_free(slot)) continue;
    symbols.clear();
    for (std::int32_t symbol : support(slot)) {
      if (kind_ == Kind::token_lists) {
        if (number[symbol] < 0) number[symbol] = result.tokens_.intern(tokens_[symbol]);
        symbol = number[symbol];
      }
      symbols.push_back(symbol);
    }
    result.append(slot, symbols);
  }
  result.batch_ = batch_;
  result.codes_ = codes_;
  result.codes_.forget();
  return result;
}

void SequenceStore::save(State& state, const std::string& prefix) const {
  const SequenceStore own = compacted();
  std::vector<std::int64_t> lengths;
  for (const Place& place : own.places_) lengths.push_back(place.length);
  state.set(prefix + "kind", std::vector<std::uint8_t>{static_cast<std::uint8_t>(kind_)});
  save_texts(state, prefix + "tokens", own.tokens_);
  state.set(prefix + "symbols", own.symbols_);
  state.set(prefix + "lengths", std::move(lengths));
}

void SequenceStore::load(const State& state, const std::string& prefix) {
  SequenceStore loaded;
  const std::uint8_t kind = state.get<std::uint8_t>(prefix + "kind", 1)[0];
  if (kind > static_cast<std::uint8_t>(Kind::token_lists))
    throw std::invalid_argument(prefix + "kind is out of range");
  loaded.kind_ = static_cast<Kind>(kind);
  loaded.tokens_ = load_texts(state, prefix + "tokens");
  if (loaded.kind_ != Kind::token_lists && loaded.tokens_.size() > 0)
    throw std::invalid_argument(prefix + "kind does not go with tokens");
  loaded.symbols_ = state.get<std::int32_t>(prefix + "symbols");
  const std::int32_t largest =
      loaded.kind_ == Kind::token_lists ? loaded.tokens_.size() - 1 : last_code_point;
  for (std::int32_t symbol : loaded.symbols_)
    if (symbol < 0 || symbol > largest) throw std::invalid_argument(prefix + "symbols are out of range");
  const auto& lengths = state.get<std::int64_t>(prefix + "lengths");
  if (lengths.size() > INT32_MAX) throw std::invalid_argument(prefix + "lengths has the wrong length");
  std::size_t begin = 0;
  for (std::int64_t length : lengths) {
    if (length < -1 || (length > 0 && static_cast<std::size_t>(length) > loaded.symbols_.size() - begin))
      throw std::invalid_argument(prefix + "lengths do not add up to the number of symbols");
    if (length >= 0 && loaded.kind_ == Kind::not_known)
      throw std::invalid_argument(prefix + "kind is out of range");
    loaded.places_.push_back({begin, length});
    if (length > 0) begin += static_cast<std::size_t>(length);
  }
  if (begin != loaded.symbols_.size())
    throw std::invalid_argument(prefix + "lengths do not add up to the number of symbols");
  *this = std::move(loaded);
}

}  // namespace hedgerow::models
