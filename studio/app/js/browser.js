// The window around the page: address and history, keys, the agents' drawer, the theme, and the connection.

const typing = target => target.closest?.("input, textarea, select, [contenteditable]")
const DRAWN_MS = 150  // how long the parts of a page take to have their heights
const KEYS = {j: "older", k: "newer", e: "edit"}

function deep(selector, root = document) {
  const found = root.querySelector(selector)
  if (found) return found
  for (const one of root.querySelectorAll("*")) {
    const inside = one.shadowRoot && deep(selector, one.shadowRoot)
    if (inside) return inside
  }
  return null
}

function drawer(open) {
  document.body.classList.toggle("agents-open", open)
  document.getElementById("agents-toggle")?.setAttribute("aria-expanded", String(open))
}

function theme() {
  const root = document.documentElement
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
  const chosen = dark ? "light" : "dark"
  root.dataset.theme = chosen
  try { localStorage.setItem("studio-theme", chosen) } catch { /* a browser that keeps nothing */ }
}

export function render({model, view, el}) {
  const address = () => location.pathname + model.query
  const send = (action, value) => model.send_msg({do: action, value: value ?? ""})

  function show() {
    document.title = model.heading.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    document.body.dataset.place = model.place
    document.body.dataset.part = model.part
    document.body.classList.add("ready")
  }
  function reveal() {
    // Where there is room for one column only, what was opened lies below the whole list.
    const [list, opened] = [".timeline-side", ".opened-side"].map(side => document.querySelector(`.place.${model.place} ${side}`))
    if (!model.opened || !list?.offsetHeight || opened.offsetTop < list.offsetTop + list.offsetHeight) return
    opened.scrollIntoView({block: "start"})
  }
  model.on("query", () => {
    if (location.search !== model.query) history.pushState(null, "", address())
  })
  model.on("heading", () => {
    show()
    drawer(false)
  })
  model.on("place", show)
  model.on("part", show)
  model.on("opened", () => setTimeout(reveal, DRAWN_MS))
  window.addEventListener("popstate", () => send("address", location.search || "?"))

  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.composedPath()[0])) return
    if (event.key === "/") {
      event.preventDefault()
      drawer(true)
      deep("[data-shortcut='/']")?.focus()
    } else if (KEYS[event.key]) send("key", KEYS[event.key])
    else if (event.key === "Escape") drawer(false)
  })

  const narrow = matchMedia("(max-width: 700px)")
  narrow.addEventListener("change", () => send("narrow", narrow.matches ? "yes" : ""))
  document.getElementById("agents-toggle")?.addEventListener("click", () => drawer(!document.body.classList.contains("agents-open")))
  document.getElementById("agents-veil")?.addEventListener("click", () => drawer(false))
  document.getElementById("theme-toggle")?.addEventListener("click", theme)

  const doc = view.model.document
  const lost = document.getElementById("connection")
  let waits = false
  doc.on_event("connection_lost", () => {
    lost.hidden = false
    if (!waits) again()
    waits = true
  })
  async function again() {
    // The server may have been started again and know nothing of this page: load it anew, and hand on what was typed.
    const answer = await fetch(location.href, {cache: "no-store"}).catch(() => null)
    if (!answer?.ok) return setTimeout(again, 1000)
    anew()
  }
  function anew() {
    sessionStorage.setItem("studio-typed", JSON.stringify([...(window.studioTyped ?? [])]))
    window.studioReloads = true
    location.reload()
  }
  model.on("signed_out", anew)

  el.hidden = true
  if (location.search !== model.query) history.replaceState(null, "", address())
  send("narrow", narrow.matches ? "yes" : "")
  show()
  setTimeout(reveal, DRAWN_MS)
}
