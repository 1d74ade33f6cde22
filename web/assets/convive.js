// What is better with script: every page works without it.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const fresh = async (url, options) => {
    const answer = await fetch(url, { credentials: "same-origin", ...options });
    return { url: answer.url, moved: answer.redirected, page: new DOMParser().parseFromString(await answer.text(), "text/html"), ok: answer.ok };
  };
  const toEnd = (element) => { if (element && element.classList.contains("chat")) element.scrollTop = element.scrollHeight; };

  // What a part was last made of: buttons that were revealed since, and ticks, are no change.
  const shownAs = new WeakMap();
  // Puts a part of a freshly loaded page in place of the one that is shown; `false` where it has no such part.
  const swap = (id, page) => {
    const [old, now] = [find(id), page.getElementById(id)];
    if (!old || !now) return false;
    // What was just done is said once: it stays while the page follows what happens.
    const [said, says] = [old.querySelector(":scope > .notice"), now.querySelector(":scope > .notice")];
    if (said && !says && id === "main") now.prepend(said.cloneNode(true));
    const made = now.innerHTML;
    if ((shownAs.get(old) ?? old.innerHTML) !== made) {
      old.innerHTML = made;
      shownAs.set(old, made);
      reveal(old); toEnd(old); showTicks();
    }
    return true;
  };

  // Whoever is ticked stays so while one searches, also where the search does not show them.
  const ticks = new Set();
  const boxes = () => [...document.querySelectorAll("#list .tick input")];
  const showTicks = () => {
    const form = document.querySelector("form[data-ticks]");
    if (!form) return;
    boxes().forEach((box) => { box.checked = ticks.has(box.value); });
    form.querySelectorAll("input[data-unseen]").forEach((field) => field.remove());
    const shown = new Set(boxes().map((box) => box.value));
    const unseen = [...ticks].filter((id) => !shown.has(id));
    unseen.forEach((id) => {
      const field = Object.assign(document.createElement("input"), { type: "hidden", name: "guest", value: id });
      field.dataset.unseen = "";
      form.append(field);
    });
    const [count, untick] = [form.querySelector("[data-count]"), form.querySelector("[data-untick]")];
    untick.hidden = ticks.size === 0;
    count.textContent = ticks.size === 0
      ? "Nobody is ticked. Ticks stay while you search; another page of the list clears them."
      : `${ticks.size} ticked${unseen.length ? `, ${unseen.length} of them not shown here` : ""}.`;
  };
  const readTicks = () => { boxes().forEach((box) => (box.checked ? ticks.add(box.value) : ticks.delete(box.value))); showTicks(); };
  document.addEventListener("change", (event) => { if (event.target.closest("#list .tick")) readTicks(); });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-untick]")) { ticks.clear(); showTicks(); }
    if (event.target.closest("[data-tick-all]")) { boxes().forEach((box) => ticks.add(box.value)); showTicks(); }
  });
  // Browsers tick again what was ticked when one comes back.
  window.addEventListener("pageshow", readTicks);

  // Buttons that need script are hidden in the page.
  const reveal = (root) => root.querySelectorAll("[data-copy][hidden], [data-print][hidden], [data-tick-all][hidden]").forEach((button) => { button.hidden = false; });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy], [data-print]");
    if (!button) return;
    if (button.hasAttribute("data-print")) { window.print(); return; }
    const said = button.innerHTML;
    try { await navigator.clipboard.writeText(button.dataset.copy); button.textContent = "Copied"; }
    catch { button.textContent = "Select and copy it by hand"; }
    setTimeout(() => { button.innerHTML = said; }, 1500);
  });

  // Forms whose answer replaces a part of the page.
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-swap]");
    if (!form) return;
    event.preventDefault();
    const sent = new URLSearchParams(new FormData(form, event.submitter));
    form.querySelectorAll("[data-clear]").forEach((field) => { field.value = ""; });
    try {
      const { page, ok, url } = await fresh(form.action, { method: "POST", body: sent });
      if (!ok || !swap(form.dataset.swap, page)) window.location.assign(url);
    } catch { window.location.reload(); }
  });

  // A search that finds while one types.
  document.querySelectorAll("form[data-auto]").forEach((form) => {
    let timer;
    const search = () => {
      const url = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
      fresh(url).then(({ page, moved, url: at }) => {
        // Such as to the login, where the session has ended.
        if (moved || !swap(form.dataset.auto, page)) window.location.assign(at);
        else history.replaceState(null, "", url);
      }).catch(() => {});
    };
    form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 250); });
  });

  // What happens elsewhere appears here.
  const live = document.body.dataset.live;
  if (live && "EventSource" in window) {
    const refresh = () => fresh(window.location.href).then(({ page, moved, url }) => {
      if (moved) window.location.assign(url); else swap("main", page);
    }).catch(() => {});
    let lost = false;
    const news = new EventSource(live);
    news.addEventListener("changed", refresh);
    // What happened while a phone was locked or had no network was told to nobody.
    news.addEventListener("error", () => { lost = true; });
    news.addEventListener("open", () => { if (lost) refresh(); lost = false; });
    window.addEventListener("online", refresh);
  }
  document.querySelectorAll("[data-poll]").forEach((element) => {
    setInterval(() => {
      if (document.hidden) return;
      fresh(window.location.href).then(({ page, ok, moved, url }) => {
        if (moved) window.location.assign(url); else if (ok) swap(element.id, page);
      }).catch(() => {});
    }, Number(element.dataset.poll) * 1000);
    toEnd(element);
    // Such as where a phone's keyboard takes half of the screen.
    if ("ResizeObserver" in window) new ResizeObserver(() => toEnd(element)).observe(element);
  });
  // On a phone the pages' names do not all fit.
  const here = document.querySelector(".top [aria-current]");
  if (here) here.scrollIntoView({ inline: "center", block: "nearest" });
  // A form that came back opens with what is wrong in it.
  find("problems")?.focus();
  reveal(document);
})();
