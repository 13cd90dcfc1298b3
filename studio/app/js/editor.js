// A text box with line numbers and quiet Markdown colours. What was typed leaves it only by messages; only a load replaces it.

const COLOURED_CHARACTERS = 60_000  // a longer text is shown without colours, so that typing stays quick
const PAUSE_MS = 300

// What was typed and is not kept yet, by box and address. The window hands it on when it loads itself anew after the connection was lost.
const typed = (window.studioTyped ??= new Map(JSON.parse(sessionStorage.getItem("studio-typed") ?? "[]")))
sessionStorage.removeItem("studio-typed")

const escaped = text => text.replace(/[&<>]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;"})[c])

function coloured(line) {
  const shown = escaped(line)
  if (/^#{1,6}\s/.test(line)) return `<b class="heading">${shown}</b>`
  return shown
    .replace(/^(\s*)([-*+]|\d+[.)])(\s)/, '$1<i class="marker">$2</i>$3')
    .replace(/`[^`]+`/g, '<i class="code">$&</i>')
    .replace(/!?\[\[[^\]]+\]\]/g, '<i class="embed">$&</i>')
    .replace(/&lt;\/?\s*(guidelines|task|state|memory)\b[^&]*(&gt;)?/gi, '<i class="forged">$&</i>')
}

function adopt(node) {
  const root = node.getRootNode()
  if (!window.studioSheet) {
    window.studioSheet = new CSSStyleSheet()
    window.studioSheet.replaceSync(document.getElementById("studio-style").textContent)
  }
  if (root instanceof ShadowRoot && !root.adoptedStyleSheets.includes(window.studioSheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, window.studioSheet]
}

export function render({model, el}) {
  const box = document.createElement("div")
  box.className = "text-box"
  box.innerHTML = '<pre class="under" aria-hidden="true"></pre><textarea spellcheck="false" autocapitalize="off" autocomplete="off"></textarea>'
  const under = box.firstChild
  const area = box.lastChild
  area.readOnly = Boolean(document.documentElement.dataset.withheld)  // for who only reads
  let sent = null
  let loaded = ""
  let timer = null
  let lost = null  // what the text was typed over before the page loaded itself anew, where the store holds another by now

  function paint() {
    const plain = area.value.length > COLOURED_CHARACTERS
    box.classList.toggle("plain", plain)
    under.innerHTML = plain ? "" : area.value.split("\n").map(line => `<span class="line">${coloured(line) || "&#8203;"}</span>`).join("")
  }
  function flush() {
    clearTimeout(timer)
    if (sent === area.value && lost === null) return
    sent = area.value
    if (lost === null) model.send_msg({do: "typed", value: area.value})
    else model.send_msg({do: "regained", value: JSON.stringify({base: lost, text: area.value})})
    lost = null
  }
  function remember() {
    typed.set(model.label + location.search, {base: lost ?? model.base, text: area.value})
  }
  function forget() {
    for (const key of [...typed.keys()]) if (key.startsWith(model.label)) typed.delete(key)
  }
  function regain() {
    const before = typed.get(model.label + location.search)
    if (before === undefined || before.text === model.text) return
    if (before.base !== model.base) lost = before.base
    area.value = before.text
    paint()
    timer = setTimeout(flush, 3 * PAUSE_MS)  // the new session listens once everything is drawn
  }
  function load() {
    forget()
    lost = null
    area.value = loaded = model.text
    sent = area.value
    paint()
  }
  function name() {
    area.setAttribute("aria-label", model.label)
  }
  function leaving(event) {
    if (!window.studioReloads && model.guard && area.value !== model.kept && el.isConnected) event.preventDefault()
  }

  area.addEventListener("input", () => {
    remember()
    paint()
    clearTimeout(timer)
    timer = setTimeout(flush, PAUSE_MS)
  })
  area.addEventListener("blur", flush)
  area.addEventListener("keydown", event => {
    if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      event.preventDefault()
      flush()
      model.send_msg({do: "save", value: ""})
    }
    if (event.key === "Escape") area.blur()
  })
  window.addEventListener("beforeunload", leaving)
  window.addEventListener("pagehide", flush)
  document.addEventListener("visibilitychange", flush)
  model.on("loads", load)
  model.on("offers", () => { if (area.value === loaded) load() })
  model.on("kept", () => { if (area.value === model.kept) forget() })
  model.on("guard", () => { if (!model.guard) forget() })
  model.on("label", name)
  function told(message) {
    const {insert} = message.data ?? message
    area.focus()
    if (insert === undefined) return
    // The browser's own command keeps the step undoable; a browser without it still gets the text.
    if (!document.execCommand("insertText", false, insert)) area.setRangeText(insert, area.selectionStart, area.selectionEnd, "end")
    remember()
    paint()
    flush()
  }
  model.on("msg:custom", told)
  el.replaceChildren(box)
  adopt(box)
  requestAnimationFrame(() => adopt(box))
  name()
  const before = typed.get(model.label + location.search)
  load()
  if (before) typed.set(model.label + location.search, before)
  regain()
}
