/* The search of the web site: lists the pages of search-index.js that contain all words of the query, those with the
 * words in their titles first.  It needs no other script, and works for files on disk. */
(function () {
  "use strict";
  var root = document.currentScript.dataset.root;
  var shown = 12;

  function found(words) {
    return search_index.map(function (page) {
      var title = page.title.toLowerCase(), text = page.text.toLowerCase();
      var score = 0;
      for (var i = 0; i < words.length; i++) {
        if (title.indexOf(words[i]) >= 0) score += 100;
        else if (text.indexOf(words[i]) < 0) return null;
        score += Math.min(10, text.split(words[i]).length);
      }
      return { page: page, score: score, at: Math.max(0, text.indexOf(words[0])) };
    }).filter(Boolean).sort(function (a, b) { return b.score - a.score; }).slice(0, shown);
  }

  function entry(hit) {
    var link = document.createElement("a"), place = document.createElement("small");
    link.className = "dropdown-item text-wrap";
    link.href = root + hit.page.path;
    link.textContent = hit.page.title;
    place.className = "d-block text-muted";
    place.textContent = "\u2026" + hit.page.text.slice(Math.max(0, hit.at - 30), hit.at + 80) + "\u2026";
    link.appendChild(place);
    return link;
  }

  var bar = document.querySelector("#navbar"), box = document.createElement("input");
  if (!bar) return;
  var form = document.createElement("form"), list = document.createElement("div");
  form.className = "position-relative my-2 my-lg-0";
  form.setAttribute("role", "search");
  box.type = "search";
  box.className = "form-control";
  box.placeholder = "Search";
  box.setAttribute("aria-label", "Search the site");
  list.className = "dropdown-menu dropdown-menu-end";
  list.style.width = "22rem";
  list.style.right = "0";
  form.appendChild(box);
  form.appendChild(list);
  bar.appendChild(form);

  box.addEventListener("input", function () {
    var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    var hits = words.length ? found(words) : [];
    list.replaceChildren.apply(list, hits.map(entry));
    list.classList.toggle("show", hits.length > 0);
  });
  form.addEventListener("submit", function (event) {
    var first = list.querySelector("a");
    event.preventDefault();
    if (first) window.location = first.href;
  });
})();
