/** The look of the dashboard (`ui/shell/theme.css`) for pages without a script: light and dark by the system. */
export const PAGE_STYLE = `:root {
  color-scheme: light dark;
  --bg: light-dark(#f5f6f8, #0c0d10);
  --surface: light-dark(#ffffff, #171a20);
  --line: light-dark(#e4e6eb, #272b34);
  --line-strong: light-dark(#868d9b, #6f7684);
  --text: light-dark(#1a1d24, #e9ebf0);
  --muted: light-dark(#5b6271, #9da4b2);
  --accent: light-dark(#3550c8, #9db0ff);
  --good: light-dark(#14653a, #6bd39c);
  --bad: light-dark(#ab211a, #ff978f);
  --bad-soft: light-dark(#fdecea, #331817);
  --bad-line: light-dark(#f2c0bc, #6b2a27);
  --solid: light-dark(#3550c8, #4862da);
  --solid-hover: light-dark(#2b43b0, #5570e6);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  grid-template-rows: auto 1fr;
  justify-items: center;
  padding: 2rem 1rem;
  background: var(--bg);
  color: var(--text);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header { margin-bottom: 1.5rem; font-weight: 650; letter-spacing: -0.01em; color: var(--muted); }
main {
  align-self: start;
  width: 100%;
  max-width: 27rem;
  padding: 1.75rem;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--surface);
}
h1 { margin: 0 0 0.75rem; font-size: 1.25rem; line-height: 1.3; font-weight: 600; }
h2 { margin: 1.75rem 0 0.5rem; font-size: 0.9375rem; font-weight: 600; }
p, ul, dl, pre { margin: 0 0 1rem; }
ul { padding-left: 1.25rem; }
a { color: var(--accent); text-underline-offset: 2px; }
small, .hint, dt { color: var(--muted); }
small, .hint { font-size: 0.8125rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", "Liberation Mono", monospace; font-size: 0.92em; }
pre { padding: 0.75rem; border-radius: 6px; background: var(--bg); white-space: pre-wrap; overflow-wrap: anywhere; }
form { margin: 0; }
.field { margin-bottom: 1rem; }
label { display: block; margin-bottom: 0.25rem; font-weight: 550; }
input {
  width: 100%;
  padding: 0.5rem 0.625rem;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--bg);
  color: inherit;
  font: inherit;
}
input[aria-invalid="true"] { border-color: var(--bad); }
input.code { font-family: ui-monospace, "SF Mono", "Liberation Mono", monospace; font-size: 1.25rem; letter-spacing: 0.15em; text-transform: uppercase; }
.hint { margin: 0.25rem 0 0; }
.fault { margin: 0.25rem 0 0; font-size: 0.8125rem; color: var(--bad); }
.alert { padding: 0.625rem 0.75rem; border: 1px solid var(--bad-line); border-radius: 6px; background: var(--bad-soft); color: var(--bad); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; margin-top: 1.25rem; }
button, a.button {
  padding: 0.5rem 1rem;
  border: 1px solid transparent;
  border-radius: 6px;
  background: var(--solid);
  color: #ffffff;
  font: inherit;
  font-weight: 550;
  cursor: pointer;
}
a.button { display: inline-block; text-decoration: none; overflow-wrap: anywhere; }
button:hover, a.button:hover { background: var(--solid-hover); }
button.quiet, a.button.quiet { border-color: var(--line-strong); background: transparent; color: inherit; }
button.quiet:hover, a.button.quiet:hover { background: var(--bg); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (forced-colors: active) { button, a.button { border-color: ButtonText; } }
`;
