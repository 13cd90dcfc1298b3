// Shows HTML that Python wrote (escaped there) and reports what is chosen in it. The page's style is shared by all fragments.

function adopt(node) {
  const root = node.getRootNode()
  if (!(root instanceof ShadowRoot)) return
  if (!window.studioSheet) {
    window.studioSheet = new CSSStyleSheet()
    window.studioSheet.replaceSync(document.getElementById("studio-style").textContent)
  }
  if (!root.adoptedStyleSheets.includes(window.studioSheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, window.studioSheet]
}

function give(text, name) {
  if (!name) return navigator.clipboard.writeText(text)
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], {type: "text/plain;charset=utf-8"}))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

// What whoever looks may not do; the store refuses it too.
const withheld = new Set((document.documentElement.dataset.withheld ?? "").split(" "))

export function render({model, el}) {
  const root = document.createElement("div")
  root.className = "fragment"
  let timer = null
  let typed = null
  let shown = null

  // Bring what the address names into view, once, as soon as its place is shown.
  function reveal() {
    const named = root.querySelector("[data-show]")
    const key = named?.dataset.show ?? null
    if (key === shown) return
    shown = key
    if (!named) return
    const watch = new ResizeObserver(() => {
      if (!named.offsetHeight) return
      watch.disconnect()
      requestAnimationFrame(() => named.scrollIntoView({block: "start"}))
    })
    watch.observe(named)
  }

  function flush() {
    clearTimeout(timer)
    if (typed) send(...typed)
    typed = null
  }

  function draw() {
    adopt(root)
    const active = root.getRootNode().activeElement
    const key = active && root.contains(active) ? active.dataset.key : null
    const writing = active && root.contains(active) && active.matches("input[name]") ? active : null
    const caret = writing && [writing.selectionStart, writing.selectionEnd]
    const open = new Map([...root.querySelectorAll("details[data-key]")].map(one => [one.dataset.key, one.open]))
    const boxes = new Map([...root.querySelectorAll("[data-scroll]")].map(one => [one.dataset.scroll, one.scrollTop]))
    root.innerHTML = model.html
    for (const one of root.querySelectorAll("[data-do]")) if (withheld.has(one.dataset.do)) one.remove()
    root.hidden = model.html === ""
    for (const one of root.querySelectorAll("details[data-key]")) if (open.has(one.dataset.key)) one.open = open.get(one.dataset.key)
    for (const one of root.querySelectorAll("[data-scroll]")) one.scrollTop = boxes.get(one.dataset.scroll) ?? 0
    if (key) root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({preventScroll: true})
    const same = writing && root.querySelector(`input[name="${CSS.escape(writing.name)}"]`)
    if (same) {  // what is being typed stays, whatever was drawn anew around it
      same.value = writing.value
      same.focus({preventScroll: true})
      if (caret[0] !== null) same.setSelectionRange(...caret)
    }
    const dialog = root.querySelector("dialog")
    root.querySelector("[data-focus]")?.focus()
    if (dialog) {
      dialog.addEventListener("cancel", event => { event.preventDefault(); send(dialog.dataset.cancel) })
      dialog.showModal()
    }
    const current = root.querySelector("[data-reveal] [aria-current]")
    if (current) {
      const box = current.closest("[data-reveal]")
      const top = current.offsetTop - box.offsetTop
      if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight)
        box.scrollTop = top - box.clientHeight / 3
    }
    reveal()
  }

  function send(action, value) {
    if (action) model.send_msg({do: action, value: value ?? ""})
  }

  root.addEventListener("click", event => {
    const chosen = event.target.closest("[data-do]")
    if (!chosen || chosen.matches("input, select, textarea") || chosen.getAttribute("aria-disabled") === "true") return
    if (chosen.matches("a") && (event.metaKey || event.ctrlKey || event.shiftKey || event.button)) return
    event.preventDefault()
    const field = chosen.dataset.from ? root.querySelector(`[name="${chosen.dataset.from}"]`) : null
    send(chosen.dataset.do, field ? field.value : chosen.dataset.value)
  })
  root.addEventListener("change", event => {
    if (event.target.matches("select[data-do]")) send(event.target.dataset.do, event.target.value)
  })
  root.addEventListener("input", event => {
    const field = event.target
    if (!field.matches("input[data-do]")) return
    clearTimeout(timer)
    typed = [field.dataset.do, field.value]
    timer = setTimeout(flush, 180)
  })
  root.addEventListener("focusout", flush)
  root.addEventListener("keydown", event => {
    const leaving = event.key === "Escape" && root.querySelector("[data-escape]")
    if (leaving) send(leaving.dataset.do)
  })
  root.addEventListener("submit", event => event.preventDefault())

  model.on("html", draw)
  model.on("msg:custom", message => {
    const told = message.data ?? message
    const field = told.field && root.querySelector(`[name="${told.field}"]`)
    if (told.text !== undefined) give(told.text, told.name)
    else if (field && root.getRootNode().activeElement !== field) field.value = told.value
  })
  el.replaceChildren(root)
  draw()
  requestAnimationFrame(() => adopt(root))
}
