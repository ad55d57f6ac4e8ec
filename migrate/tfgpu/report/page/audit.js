"use strict";
(() => {
  const box = document.getElementById("filter");
  if (!box) return;
  const found = document.getElementById("found");
  const rows = [...document.querySelectorAll(".filtered tbody tr:not(.group)")];
  const heads = [...document.querySelectorAll(".filtered tbody tr.group")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const buttons = [...document.querySelectorAll(".choices button")];
  let fix = "";
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      const fits = !fix || row.dataset.fix === fix;
      row.hidden = !fits || !words.every((word) => texts[place].includes(word));
      shown += !row.hidden;
    });
    // A repository without a row that is shown is not named.
    for (const head of heads) {
      let row = head.nextElementSibling;
      while (row && row.hidden) row = row.nextElementSibling;
      head.hidden = !row || row.classList.contains("group");
    }
    found.textContent = words.length || fix
      ? `${shown.toLocaleString("en")} of the ${rows.length.toLocaleString("en")} on this page`
      : "";
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      fix = button.dataset.fix;
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
      filter();
    });
  }
  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, rows.length > 500 ? 120 : 0);
  });
  // A link to a rule opens what is folded there.
  const unfold = () => {
    const rule = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = rule && rule.querySelector("details");
    if (folded) folded.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();
  box.closest(".filter").hidden = false;
})();
