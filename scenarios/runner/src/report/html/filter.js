// Shows the stories that hold all the words and came out as asked. The page is whole without it.
const form = document.querySelector("form");
const stories = [...document.querySelectorAll(".story")].map((at) => ({ at, text: at.dataset.text ?? at.querySelector("summary").textContent.toLowerCase() }));
const rest = document.querySelector(".rest");
const show = () => {
  const words = form.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const outcome = form.outcome.value;
  let count = 0;
  for (const { at, text } of stories) {
    const shown = (!outcome || at.classList.contains(outcome)) && words.every((word) => text.includes(word));
    at.hidden = !shown;
    count += shown;
  }
  if (rest && (words.length || outcome)) rest.open = true;
  document.querySelector("output").textContent = `${count} of ${stories.length}`;
};
form.hidden = false;
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
show();
