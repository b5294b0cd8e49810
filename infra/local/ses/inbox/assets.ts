/** No font, no image, no address of anyone else. */
export const styleSheet = `
:root { color-scheme: light dark; --line: light-dark(#d8dadf, #3a3f47); --soft: light-dark(#5a6270, #a4acb8);
  --card: light-dark(#fff, #1d2126); --page: light-dark(#f4f5f7, #14171a); --accent: light-dark(#0b57b5, #7ab4ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: var(--page); color: light-dark(#1b1f24, #e8eaed); }
header, main { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1rem; }
h1 { font-size: 1.4rem; margin: .5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
p { margin: .25rem 0 1rem; }
a { color: var(--accent); }
.soft { color: var(--soft); font-size: .9rem; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: 1rem 0; }
label { display: grid; gap: .15rem; flex: 1 1 12rem; font-size: .9rem; }
input, button { font: inherit; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--card); color: inherit; min-width: 0; }
button { border-color: var(--accent); color: var(--accent); cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
ul.messages, ol.events { list-style: none; margin: 0 0 1rem; padding: 0; background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem; }
ul.messages li + li, ol.events li + li { border-top: 1px solid var(--line); }
ul.messages a { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .6rem .9rem; color: inherit;
  text-decoration: none; }
ul.messages a:hover { background: light-dark(#eef3fb, #242a31); }
ul.messages .subject { font-weight: 600; grid-column: 1 / -1; }
ul.messages span, dd, td, th { overflow-wrap: anywhere; min-width: 0; }
ol.events li { padding: .5rem .9rem; }
ol.events code { display: block; font-size: .8rem; color: var(--soft); overflow-wrap: anywhere; }
.new { padding: 0 .4rem; border: 1px solid var(--accent); border-radius: .4rem; color: var(--accent); font-size: .8rem; }
ul.links { overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 0 1rem; }
dt { color: var(--soft); }
dd { margin: 0; }
iframe { width: 100%; height: 32rem; resize: vertical; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }
pre { margin: 0; padding: .9rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 32rem; overflow: auto; }
table { width: 100%; border-collapse: collapse; background: var(--card); font-size: .9rem; table-layout: fixed; }
th, td { text-align: start; vertical-align: top; padding: .3rem .6rem; border: 1px solid var(--line); }
th { width: 30%; font-weight: 600; }
@media (max-width: 30rem) {
  ul.messages a { grid-template-columns: 1fr; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
}
`;

/** Fetches again what may have changed, from this server only, while the page is looked at. */
export const script = `
const live = document.querySelector('[data-live]');
const refresh = async () => {
  if (!document.hidden) {
    try {
      const answer = await fetch(live.dataset.live, { cache: 'no-store' });
      const text = answer.ok ? await answer.text() : live.innerHTML;
      if (text !== shown) { live.innerHTML = text; shown = text; }
    } catch { /* The server is being started again: the next round finds it. */ }
  }
  setTimeout(refresh, 2000);
};
let shown = '';
if (live) refresh();
document.querySelectorAll('[data-delete]').forEach((button) => {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const answer = await fetch(button.dataset.delete, { method: 'DELETE' });
    if (answer.ok) location.href = '/inbox';
  });
});
`;
