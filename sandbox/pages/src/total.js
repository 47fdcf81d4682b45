// The running total of a plan. The page is whole without it.
"use strict";
{
  const lang = document.documentElement.lang;
  // A number as a reader of the language writes it; NaN where it could mean two.
  const read = (text) => {
    const bare = text.toLowerCase().replace(/kronor|sek|kr\.?|:-|%|\s/g, "");
    if (!/^[0-9.,]*$/.test(bare)) return NaN;
    const at = Math.max(bare.lastIndexOf("."), bare.lastIndexOf(","));
    if (at < 0) return Number(bare);
    const mark = bare[at], after = bare.slice(at + 1), whole = bare.slice(0, at).replace(/[.,]/g, "");
    if (after.length !== 3) return Number(`${whole}.${after}`);
    return (lang === "en" && mark === ",") || bare.indexOf(mark) < at ? Number(whole + after) : NaN;
  };
  const total = document.querySelector("[data-total]");
  if (total) {
    const form = document.getElementById("step");
    const counted = [...form.elements].filter((field) => field.name.startsWith(total.dataset.total));
    const fixed = Number(total.dataset.fixed);
    const show = () => {
      const sum = counted.reduce((sum, field) => sum + Math.round(read(field.value) * 100), fixed);
      const digits = sum % 100 ? 2 : 0;
      const said = (sum / 100).toLocaleString(lang, { minimumFractionDigits: digits, maximumFractionDigits: 2 });
      total.textContent = Number.isNaN(sum) ? "" : total.dataset.says.replace("{sum}", said);
      total.classList.toggle("whole", sum === Number(total.dataset.whole));
    };
    form.addEventListener("input", show);
    show();
    total.hidden = false;
  }
}
