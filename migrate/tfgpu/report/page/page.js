"use strict";
(() => {
  const box = document.getElementById("filter");
  if (!box) return;
  const found = document.getElementById("found");
  const rows = [...document.querySelectorAll(".ops tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const rests = [...document.querySelectorAll("details.rest")];
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !words.every((word) => texts[place].includes(word));
      shown += !row.hidden;
    });
    for (const rest of rests) {
      // Nothing typed: as the page was at first.
      rest.open = words.length > 0 && rest.querySelector("tbody tr:not([hidden])") !== null;
    }
    const all = rows.length.toLocaleString("en");
    found.textContent = words.length
      ? `${shown.toLocaleString("en")} of the ${all} on this page`
      : "";
  };
  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, rows.length > 500 ? 120 : 0);
  });
  box.closest(".filter").hidden = false;
})();
