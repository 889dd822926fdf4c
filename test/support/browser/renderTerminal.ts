/** Style of each code that sets one (SGR), in colours that can be read on the ground below. */
const STYLES: Readonly<Record<string, string>> = {
  1: 'font-weight: 600',
  2: 'opacity: 0.6',
  31: 'color: #ff7b72',
  32: 'color: #7ee787',
  33: 'color: #e3b341',
  34: 'color: #79c0ff',
  35: 'color: #d2a8ff',
  36: 'color: #56d4dd',
};
const ENDS: Readonly<Record<string, readonly string[]>> = {
  22: ['1', '2'],
  39: ['31', '32', '33', '34', '35', '36'],
};

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function renderAnsi(output: string): string {
  const active = new Set<string>();
  let html = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes begin with ESC
  for (const part of output.split(/(\u001b\[[\d;]*m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes begin with ESC
    const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      const style = [...active].map((code) => STYLES[code]).join('; ');
      html += style === '' ? escapeHtml(part) : `<span style="${style}">${escapeHtml(part)}</span>`;
      continue;
    }
    for (const code of codes.split(';')) {
      if (code === '' || code === '0') active.clear();
      else if (STYLES[code]) active.add(code);
      for (const endedStyle of ENDS[code] ?? []) active.delete(endedStyle);
    }
  }
  return html;
}

export const renderTerminal = (command: string, output: string): string => `<!doctype html>
<meta charset="utf-8">
<style>
  body { margin: 0; background: #fff; }
  pre {
    display: inline-block; margin: 0; padding: 16px 20px; min-width: 1000px; border-radius: 10px;
    background: #0d1117; color: #e6edf3; font: 13px/1.5 'DejaVu Sans Mono', monospace;
  }
</style>
<pre><span style="${STYLES[32]}">$</span> ${escapeHtml(command)}
${renderAnsi(output)}</pre>
`;
