// The page asks the server for one step at a time, and says in each question all that the answer depends on: the tree,
// the system, the oracle and the transitions so far. A recording has all its steps in the page, and asks nobody.

const recorded = find("steps") ? JSON.parse(find("steps").textContent) : null;

let systems = []; // what the registry tells of each
let beginning = {}; // the system that is shown first
let question = null; // {sentence, system, root, single_root, oracle, taken}
let state = null; // the answer to it
let ahead = []; // transitions that were taken back, or are recorded

// ---- links: a step, in the part of an address after the # ----

function encoded(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decoded(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.codePointAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

// ---- steps ----

async function go(taken, later = []) {
  if (recorded) {
    state = recorded.states[taken.length];
    question = { ...recorded.question, taken };
  } else {
    try {
      const wanted = { ...question, taken };
      state = await ask("step", wanted);
      question = wanted;
    } catch (error) {
      find("status").textContent = error.message;
      return false;
    }
    history.replaceState(null, "", `#${encoded(question)}`);
  }
  ahead = later;
  show();
  return true;
}

function take(name) {
  const later = ahead[0] === name ? ahead.slice(1) : [];
  return go([...question.taken, name], later);
}

const following = () => ahead[0] ?? state.following;
const back = () => question.taken.length && go(question.taken.slice(0, -1), [question.taken.at(-1), ...ahead]);
const forward = () => following() && take(following());
const first = () => go([], [...question.taken, ...ahead]);

async function last() {
  if (recorded) return go(recorded.question.taken);
  const { taken } = await ask("end", question);
  return go(taken);
}

// ---- what is shown ----

function show() {
  document.body.classList.toggle("scored", state.transitions.some((choice) => choice.score !== null));
  find("drawing").innerHTML = state.drawing; // made by the server, with all text escaped
  find("gold").innerHTML = state.gold;
  find("gold").hidden = !find("show-gold").checked;
  document.body.classList.toggle("hiding", find("hide").checked);
  if (find("hide").checked) for (const title of find("drawing").querySelectorAll("title")) title.remove(); // they tell wrong arcs
  find("count").textContent = `after ${question.taken.length} transitions`;
  find("parts").replaceChildren(...state.parts.map(part));
  find("loss").textContent = lossInWords();
  find("transitions").tBodies[0].replaceChildren(...state.transitions.map(row), ...state.impossible.map(impossible));
  find("derivation").replaceChildren(...steps());
  find("back").disabled = find("first").disabled = !question.taken.length;
  find("forward").disabled = !following();
  find("last").disabled = state.final || (!recorded && !state.following);
  find("status").textContent = statusInWords();
  markRow();
  if (find("all").open) showGraph();
}

// The row of the system's table that the last transition belongs to; "k=k" stands for every k.
function markRow() {
  const name = state.taken.at(-1)?.name.replace("()", "");
  for (const tableRow of document.querySelectorAll("#rows tbody tr")) {
    const cell = tableRow.cells[0].textContent;
    tableRow.classList.toggle("fired", cell === name || cell === name?.replace(/k=\d+/, "k=k"));
  }
}

function lossInWords() {
  if (state.loss === null) return "Loss ?: it would take too long to find, and so would costs.";
  const [built, counted] = state.graph ? ["graph", "arc"] : ["tree", "head"];
  const meaning = state.loss ? `a best reachable ${built} has ${state.loss} wrong ${counted}${state.loss === 1 ? "" : "s"}.` : `the gold ${built} is reachable.`;
  return `Loss ${state.estimated ? "≤ " : ""}${state.loss}: ${meaning}`;
}

function statusInWords() {
  const step = find("hide").checked ? null : state.taken.at(-1);
  const done = step ? `${step.name} costs ${step.cost ?? "?"}${state.lost.length ? ` and loses ${state.lost.map(lostInWords).join("; ")}` : ""}. ` : "";
  if (state.final) return `${done}This configuration is final.`;
  if (state.gives_up) return `${done}The oracle has no answer here: it would take too long to find.`;
  if (!state.following) return `${done}The oracle has no answer here: it is defined on the way to the gold ${state.graph ? "graph" : "tree"} only.`;
  return done;
}

const isolated = (form) => `\u2068${form}\u2069`; // words from right to left do not turn an arc around
const arcInWords = ([head, word]) => `${head === null ? "∅" : isolated(state.words[head])} → ${isolated(state.words[word])}`;
const lostInWords = ({ row, arcs }) => arcs.map(arcInWords).join(", ") + (row ? ` (${row})` : "");

// What tables and errors call the elements of the stack, from its top, and of the buffer, from its front.
const placeNames = { σ: (index, length) => `s${length - 1 - index}`, β: (index) => `b${index}` };

function part({ name, items }) {
  const shown = items.map(({ position, form }, index) => element("span", { class: "item" },
    element("bdi", {}, form), element("sub", {}, String(position)), element("small", {}, placeNames[name]?.(index, items.length) ?? "")));
  return element("div", { class: "part", "data-name": name }, element("span", { class: "name" }, name), element("span", { class: "items" }, ...shown));
}

function row(choice, number) {
  const isRecorded = !recorded || recorded.question.taken[question.taken.length] === choice.name;
  const button = element("button", { type: "button", disabled: !isRecorded }, choice.name);
  button.addEventListener("click", () => take(choice.name));
  return element("tr", { class: choice.gold ? "gold" : false },
    element("td", { class: "number" }, number < 9 ? element("kbd", {}, String(number + 1)) : ""),
    element("td", {}, button, choice.gold ? element("span", { class: "oracle" }, " oracle") : "", choice.best ? " model" : ""),
    element("td", {}, choice.arcs.length ? element("span", { class: choice.right ? "good" : "bad" }, choice.arcs.map(arcInWords).join(", ")) : "–"),
    element("td", { class: "number told" }, price(choice)),
    element("td", { class: "number score" }, choice.score === null ? "" : choice.score.toFixed(2)),
    element("td", { class: "told" }, choice.lost.map(lostInWords).join("; ")));
}

function price({ cost }) {
  if (cost === null) return element("span", { title: "It would take too long to find." }, "?");
  return cost ? element("span", { class: "bad" }, `${state.estimated ? "≈ " : ""}${cost}`) : element("span", { class: "good" }, "0");
}

const impossible = ({ name, missing }) => element("tr", { class: "impossible" }, element("td"), element("td", {}, name), element("td", { colspan: 4 }, `requires that ${missing}`));

function steps() {
  const at = question.taken.length;
  const all = [...state.taken, ...ahead.map((name) => ({ name, cost: 0 }))];
  return all.map(({ name, cost }, place) => {
    const button = element("button", { type: "button", class: place >= at ? "ahead" : cost ? "bad" : false, "aria-current": place === at - 1 ? "step" : false }, name);
    const names = all.map((step) => step.name);
    button.addEventListener("click", () => go(names.slice(0, place + 1), names.slice(place + 1)));
    return element("li", {}, button);
  });
}

// ---- the setting ----

const chosen = () => systems.find((system) => system.name === find("system").value);

function offerOptions() {
  const { roots, single_root, oracles } = chosen();
  const first = question ?? beginning; // later on, what was chosen before
  offer(find("root"), roots, first.root ?? roots[0]);
  offer(find("oracle"), oracles, question?.oracle ?? (oracles.includes("dynamic") ? "dynamic" : oracles.at(-1)));
  find("single-root-label").hidden = !single_root;
  find("single-root").checked = single_root && Boolean(first.single_root);
}

function offer(select, values, wanted) {
  select.replaceChildren(...values.map((value) => element("option", {}, value)));
  select.value = values.includes(wanted) ? wanted : values[0];
}

async function explore(sentence) {
  question = {
    sentence, system: find("system").value, root: find("root").value, single_root: find("single-root").checked,
    oracle: find("oracle").value, taken: [],
  };
  showTyped();
  showTable();
  await go([]);
}

async function chooseSentence() {
  await explore(await ask(`sentence/${find("sentence").value}`));
}

async function showTable() {
  find("rows").innerHTML = (await ask("system", question)).html;
  if (state) markRow();
}

async function showGraph() {
  try {
    find("graph").innerHTML = (await ask("derivations", question)).html;
  } catch (error) {
    find("graph").textContent = error.message;
  }
  for (const node of find("graph").querySelectorAll("[data-taken]")) {
    const taken = JSON.parse(node.dataset.taken);
    node.addEventListener("click", () => go(taken));
    node.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && go(taken));
  }
}

// ---- a sentence of one's own ----

let head = null;

function showTyped() {
  const { words, heads } = question.sentence;
  find("words").value = words.join(" ");
  find("heads").value = heads.map((value) => value ?? "_").join(" ");
  showChips();
}

function typed() {
  const words = find("words").value.split(/\s+/).filter(Boolean);
  const heads = find("heads").value.split(/[\s,]+/).filter(Boolean);
  return { words, heads: words.map((_, place) => heads[place] ?? "_") };
}

function showChips() {
  const { words, heads } = typed();
  find("chips").replaceChildren(...["ROOT", ...words].map((form, position) => {
    const chip = element("button", { type: "button", "aria-pressed": String(head === position) }, element("bdi", {}, form), element("sub", {}, String(position)));
    chip.addEventListener("click", () => {
      if (head === null) head = position;
      else {
        if (position && position !== head) heads[position - 1] = head;
        head = null;
      }
      find("heads").value = heads.join(" ");
      showChips();
      find("chips").children[position].focus();
    });
    return chip;
  }));
}

async function exploreTyped(event) {
  event.preventDefault();
  find("typed-error").textContent = "";
  const before = question;
  try {
    const sentence = await ask("typed", { words: typed().words, heads: find("heads").value });
    question = { ...question, sentence, taken: [] };
    if (await go([])) return;
    find("typed-error").textContent = find("status").textContent;
  } catch (error) {
    find("typed-error").textContent = error.message;
  }
  question = before;
}

// ---- beginning ----

function onKey(event) {
  if (event.target.closest("input:not([type=checkbox]), select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const steps = { ArrowLeft: back, ArrowRight: forward, Home: first, End: last };
  const inRegion = event.target.closest(".wide, #drawing"); // where arrows scroll
  if (steps[event.key] && !inRegion) steps[event.key]();
  else if (/^[1-9]$/.test(event.key)) find("transitions").tBodies[0].rows[Number(event.key) - 1]?.querySelector("button:enabled")?.click();
  else return;
  if (!inRegion) event.preventDefault();
}

async function begin() {
  for (const [id, action] of Object.entries({ first, back, forward, last })) find(id).addEventListener("click", action);
  for (const id of ["show-gold", "hide"]) find(id).addEventListener("change", show);
  document.addEventListener("keydown", onKey);
  if (recorded) {
    document.body.classList.add("still");
    find("recorded").hidden = false;
    find("recorded").textContent = recorded.title;
    await go([], recorded.question.taken);
    return;
  }
  const offered = await ask("systems");
  systems = offered.systems;
  beginning = offered;
  find("sentence").replaceChildren(...offered.sentences.map((text, number) => element("option", { value: number }, `${number + 1}: ${text}`)));
  offer(find("system"), systems.map((system) => system.name), offered.system);
  find("system").addEventListener("change", () => { question = { ...question, root: null, oracle: null }; offerOptions(); explore(question.sentence); });
  for (const id of ["root", "single-root", "oracle"]) find(id).addEventListener("change", () => explore(question.sentence));
  find("sentence").addEventListener("change", chooseSentence);
  find("typed").addEventListener("submit", exploreTyped);
  for (const id of ["words", "heads"]) find(id).addEventListener("input", showChips);
  find("all").addEventListener("toggle", () => find("all").open && showGraph());
  find("link").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    find("status").textContent = "The link is copied.";
  });
  find("save").addEventListener("click", async () => {
    const { html } = await ask("recording", { ...question, taken: [...question.taken, ...ahead] });
    element("a", { href: URL.createObjectURL(new Blob([html], { type: "text/html" })), download: "derivation.html" }).click();
  });
  if (location.hash.length > 1 && (await beginAt(location.hash.slice(1)))) return;
  const fault = location.hash.length > 1 ? `The link leads to no step. ${find("status").textContent}` : "";
  question = null;
  offer(find("system"), systems.map((system) => system.name), offered.system);
  offerOptions();
  await chooseSentence();
  if (fault) find("status").textContent = fault;
}

// Begin at the step of a link, if it leads to one.
async function beginAt(link) {
  try {
    question = decoded(link);
    find("system").value = question.system;
    offerOptions();
    showTyped();
  } catch {
    return false;
  }
  if (!(await go(question.taken))) return false;
  showTable();
  return true;
}

begin();
