// What the scripts of all pages share.

const find = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

async function ask(path, body) {
  const answer = await fetch(path, body && { method: "POST", body: JSON.stringify(body) });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}
