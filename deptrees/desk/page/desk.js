// The page shows one sentence at a time. Each action goes to the server, which saves the file and answers with the
// sentence as it is then; nothing is kept here that would be lost with the page.

const SHOWN = 200; // sentences in the list
const UNSURE = 0.5;
const PAUSE = 1500; // milliseconds between two looks at whether the parser has learned

let overview = null; // {file, sentences: [{text, open, sure}], labels, tags, features}
let shown = null; // the sentence: {number, version, words, findings, drawing}
let current = 1; // the word that has the focus
let taken = null; // the word for which a head is chosen
let changed = new Set(); // words whose arcs the latest action changed
let learned = 0; // how often the parser had learned when the list was made

const say = (text) => { find("status").textContent = text; };
const width = () => Math.floor(find("drawing").clientWidth) - 32;
const form = (position) => (position === 0 ? "ROOT" : `${position} ${shown.words[position - 1].form}`);
const percent = (share) => `${Math.round(100 * share)} %`;

// One question after the other, so that a key pressed meanwhile is about what is seen then.
let queue = Promise.resolve();
const inTurn = (work) => (queue = queue.then(work).catch((error) => say(error.message.startsWith("Failed to fetch") ? "The program has ended: what you did is saved." : error.message)));

// ---- sentences ----

const open = (number) => inTurn(async () => {
  changed = new Set();
  show(await ask("sentence", { sentence: number, width: width() }));
  current = nextUncertain(0);
  focusWord();
  say("");
});

function order() {
  const numbers = overview.sentences.map((_, number) => number);
  if (find("order").value === "file") return numbers;
  const place = ({ open: count, sure }) => (count ? sure ?? 1 : 2);
  return numbers.sort((one, other) => place(overview.sentences[one]) - place(overview.sentences[other]) || one - other);
}

function next(step) {
  const numbers = order();
  const place = numbers.indexOf(shown.number);
  const candidates = step > 0 ? [...numbers.slice(place + 1), ...numbers.slice(0, place)] : numbers.slice(0, place).reverse();
  const bySure = find("order").value === "sure";
  const found = candidates.find((number) => overview.sentences[number].open) ?? (bySure ? undefined : candidates[0]);
  if (found === undefined) say(step > 0 ? "No other sentence has anything open." : "This is the first.");
  else open(found);
}

function showList() {
  const numbers = order();
  const place = Math.max(0, numbers.indexOf(shown?.number ?? numbers[0]));
  const from = find("order").value === "file" ? Math.max(0, Math.min(place - SHOWN / 2, numbers.length - SHOWN)) : 0;
  const some = numbers.slice(from, from + SHOWN);
  find("sentences").replaceChildren(...some.map((number) => {
    const { text, open: count, sure } = overview.sentences[number];
    const state = count ? (sure === null ? `${count} open` : percent(sure)) : "✓";
    const told = count ? (sure === null ? `${count} words open` : `${percent(sure)} certain`) : "decided";
    const button = element("button", { type: "button", "aria-current": number === shown?.number && "true", title: text },
      element("span", { class: "text" }, `${number + 1} ${text}`), element("span", { class: "sure", "aria-label": told }, state));
    button.addEventListener("click", () => open(number));
    return element("li", {}, button);
  }));
  const rest = numbers.length - some.length;
  find("more").textContent = rest ? `and ${rest} more` : "";
  const total = overview.sentences.length;
  const done = overview.sentences.filter((sentence) => !sentence.open).length;
  find("bar").value = done / total;
  find("progress-text").textContent = `${done} of ${total} sentences decided`;
}

function showNews(news) {
  find("undo").disabled = !news.undo;
  find("undo").title = news.undo ? `Undo: ${news.undo}` : "";
  const known = news.learned ? "The parser helps." : "No parser yet: it takes five sentences with some heads.";
  find("parser").textContent = news.learning ? "The parser is learning …" : news.fault || known;
}

async function look() {
  try {
    const news = await ask("news");
    showNews(news);
    if (news.learned !== learned) {
      learned = news.learned;
      overview = await ask("overview");
      showList();
    }
  } catch {
    find("parser").textContent = "The program has ended.";
    return;
  }
  setTimeout(look, PAUSE);
}

// ---- the sentence ----

function show(told) {
  shown = told;
  overview.sentences[told.number] = told.row;
  find("name").textContent = `Sentence ${told.number + 1}${told.name ? `: ${told.name}` : ""}`;
  find("drawing").innerHTML = told.drawing; // made by the server, with all text escaped
  for (const arc of find("drawing").querySelectorAll(".arc")) {
    const word = Number(arc.dataset.dependent);
    arc.classList.toggle("proposed", told.words[word - 1].state === "open");
    arc.classList.toggle("unsure", isUnsure(told.words[word - 1]));
    arc.classList.toggle("changed", changed.has(word));
    arc.addEventListener("click", () => { moveTo(word); find("label").focus(); });
  }
  for (const word of find("drawing").querySelectorAll(".word")) word.addEventListener("click", () => take(Number(word.dataset.position)));
  find("words").tBodies[0].replaceChildren(...told.words.map(row));
  find("head").replaceChildren(element("option", { value: "" }, "–"), ...[...told.words.keys(), told.words.length].map((position) => element("option", { value: position }, form(position))));
  showFindings();
  showList();
  showNews(told);
  mark();
}

function row({ form: text, upos, feats, head, label, state, sure }, index) {
  const word = index + 1;
  const who = { decided: "decided", head: "head decided", open: head === null ? "open" : "proposed" }[state];
  const certainty = state === "decided" || sure === null ? who : `${who}, ${percent(sure)}`;
  const button = element("button", { type: "button", tabindex: "-1", "aria-label": `${word} ${text}, ${upos ?? "no tag"}, ${head === null ? "no head" : `${label ?? "no label"} of ${form(head)}`}, ${certainty}` }, text);
  button.addEventListener("focus", () => moveTo(word));
  button.addEventListener("click", (event) => { event.stopPropagation(); take(word); });
  const made = element("tr", { class: `${state}${isUnsure({ state, sure }) ? " unsure" : ""}${changed.has(word) ? " changed" : ""}` },
    element("td", { class: "number" }, String(word)), element("td", {}, button), element("td", { title: feats }, upos ?? ""),
    element("td", {}, head === null ? "–" : form(head)), element("td", {}, label ?? "–"), element("td", { class: "number" }, certainty));
  made.addEventListener("click", () => take(word));
  return made;
}

function showFindings() {
  find("findings").hidden = !shown.findings.length;
  find("findings").querySelector("ul").replaceChildren(...shown.findings.map(({ word, rule, message, reason }) => {
    const about = word ? `${form(word)}: ${message} ` : `${message} `;
    const text = element("span", {}, about, element("kbd", {}, rule));
    if (reason !== null) return element("li", { class: "dismissed" }, text, element("span", {}, `dismissed: ${reason}`));
    const button = element("button", { type: "button", "aria-label": `Dismiss ${rule} of ${word ? form(word) : "the sentence"}` }, "Dismiss …");
    button.addEventListener("click", async () => {
      const told = await prompted(`Why is it right all the same? The reason stays in the file.`);
      if (told) act("Dismiss", { word, rule, reason: told });
    });
    return element("li", {}, text, button);
  }));
}

const isUnsure = ({ state, sure }) => state !== "decided" && sure !== null && sure < UNSURE;

// From left to right, since what is before a decision stays: the next uncertain word, or else the next open one.
const nextUncertain = (after) => {
  const words = shown.words.map((its, index) => ({ word: index + 1, ...its }));
  const inTurn = [...words.slice(after), ...words.slice(0, after)];
  return (inTurn.find(isUnsure) ?? inTurn.find(({ state }) => state !== "decided"))?.word ?? Math.max(after, 1);
};

function moveTo(word) {
  current = word;
  mark();
}

const buttons = () => [...find("words").querySelectorAll("tbody button")];

function focusWord() {
  const button = buttons()[current - 1];
  mark();
  button?.focus();
  button?.scrollIntoView({ block: "nearest" });
}

// The word that the form is about, in the table, in the drawing and in the form itself.
function mark() {
  const { upos, feats, head, label } = shown.words[current - 1];
  for (const [index, button] of buttons().entries()) {
    button.tabIndex = index + 1 === current ? 0 : -1;
    const line = button.closest("tr");
    line.classList.toggle("current", index + 1 === current);
    line.classList.toggle("taken", index + 1 === taken);
  }
  for (const word of find("drawing").querySelectorAll(".word")) {
    word.classList.toggle("current", Number(word.dataset.position) === current);
    word.classList.toggle("taken", Number(word.dataset.position) === taken);
  }
  const drawn = find("drawing").querySelector(".current");
  if (drawn) find("drawing").scrollTop += Math.max(0, drawn.getBoundingClientRect().bottom + 40 - find("drawing").getBoundingClientRect().bottom) + Math.min(0, drawn.getBoundingClientRect().top - 140 - find("drawing").getBoundingClientRect().top);
  find("word-title").textContent = taken ? `The head of ${form(taken)} is …` : form(current);
  find("head").value = head ?? "";
  find("label").value = label ?? "";
  find("upos").value = upos ?? "";
  find("feats").value = feats ?? "";
}

// ---- actions ----

function act(action, args, done = "") {
  return inTurn(async () => {
    const before = shown;
    taken = null;
    try {
      const told = await ask("act", { sentence: shown.number, width: width(), version: shown.version, action, arguments: args });
      changed = new Set(told.words.length === before.words.length
        ? told.words.flatMap(({ head, label }, index) => (head === before.words[index].head && label === before.words[index].label ? [] : [index + 1])) : []);
      current = Math.min(current, told.words.length);
      show(told);
      const others = [...changed].filter((word) => word !== args.word).length;
      say(`${done || "Done"}${others ? `; ${others} ${others === 1 ? "other word" : "other words"} changed with it` : ""}. Saved.`);
    } catch (error) {
      show(shown);
      throw error;
    } finally {
      focusWord();
    }
  });
}

function take(word) {
  if (taken === null || taken === word) {
    taken = taken === word ? null : word;
    current = word;
    focusWord();
    say(taken ? `Choose the head of ${form(word)}: Enter or click on it, r for ROOT.` : "");
  } else setHead(taken, word);
}

function setHead(word, head) {
  current = word;
  act("SetHead", { word, head }, `${form(word)} depends on ${form(head)}`);
}

const undo = () => inTurn(async () => {
  const { sentence } = await ask("undo", {});
  changed = new Set();
  taken = null;
  const word = sentence === shown.number ? current : 1;
  show(await ask("sentence", { sentence, width: width() }));
  current = Math.min(word, shown.words.length);
  focusWord();
  say("Undone. Saved.");
});

const acceptSentence = async () => {
  const number = shown.number;
  if (shown.row.open) await act("Accept", { words: [] }, "The sentence is decided");
  if (shown.number === number && !shown.row.open) next(1);
};

async function split() {
  const word = current;
  const told = await prompted(`The parts of ${form(word)}, with spaces between them. If they make up the word, they are written together in the text; if not, they are the words of a multiword token.`, shown.words[word - 1].form);
  if (told) act("Split", { word, parts: told.trim().split(/\s+/) }, `${form(word)} is split`);
  else focusWord();
}

function prompted(question, value = "") {
  find("asked").textContent = question;
  find("told").value = value;
  const dialog = find("dialog");
  dialog.returnValue = "";
  dialog.showModal();
  find("told").select();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue ? find("told").value : null), { once: true }));
}

// The first of some texts that begins as typed; what is typed, if none does.
const completed = (typed, texts) => (texts.includes(typed) ? typed : texts.find((text) => text.toLowerCase().startsWith(typed.toLowerCase())) ?? typed);

const fields = {
  head: (value) => value !== "" && setHead(current, Number(value)),
  label: (value) => value && act("SetLabel", { word: current, label: completed(value, overview.labels) }, `The label of ${form(current)} is ${completed(value, overview.labels)}`),
  upos: (value) => act("SetColumn", { word: current, column: "upos", text: completed(value, value ? overview.tags : []) }, `The tag of ${form(current)} is written`),
  feats: (value) => act("SetColumn", { word: current, column: "feats", text: value }, `The features of ${form(current)} are written`),
};

const keys = {
  ArrowDown: () => { current = Math.min(current + 1, shown.words.length); focusWord(); },
  ArrowUp: () => { current = Math.max(current - 1, 1); focusWord(); },
  ArrowRight: () => keys.ArrowDown(),
  ArrowLeft: () => keys.ArrowUp(),
  Escape: () => { taken = null; mark(); say(""); },
  r: () => setHead(taken ?? current, 0),
  h: () => find("head").focus(),
  l: () => find("label").select(),
  t: () => find("upos").select(),
  f: () => find("feats").select(),
  a: () => act("Accept", { words: [current] }, `${form(current)} is decided`),
  s: acceptSentence,
  u: () => { current = nextUncertain(current); focusWord(); },
  n: () => next(1),
  p: () => next(-1),
  z: undo,
  x: split,
  j: () => act("Join", { word: current }, "Joined"),
  o: () => act("Reopen", { words: [] }, "All is open"),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest("#words, #drawing") || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

function onFieldKey(event) {
  if (event.key === "Escape") { mark(); focusWord(); }
  if (event.key !== "Enter") return;
  event.preventDefault();
  fields[event.target.id](event.target.value.trim());
}

async function begin() {
  overview = await ask("overview");
  learned = overview.learned;
  find("file").textContent = overview.file;
  document.title = `${overview.file} – deptrees annotate`;
  for (const [id, values] of [["labels", overview.labels], ["tags", overview.tags], ["features", overview.features]]) find(id).replaceChildren(...values.map((value) => element("option", { value })));
  document.addEventListener("keydown", onKey);
  for (const id of Object.keys(fields)) find(id).addEventListener("keydown", onFieldKey);
  find("head").addEventListener("change", (event) => fields.head(event.target.value));
  find("word").addEventListener("submit", (event) => event.preventDefault());
  for (const [id, action] of Object.entries({ undo, split, accept: acceptSentence, "accept-word": keys.a, join: keys.j, reopen: keys.o })) find(id).addEventListener("click", action);
  find("order").addEventListener("change", showList);
  showNews(overview);
  showList();
  await open(order()[0]);
  setTimeout(look, PAUSE);
}

begin();
