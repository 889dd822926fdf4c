interface Token {
  info: string;
  content: string;
}

type Rule = (tokens: readonly Token[], at: number, ...rest: never[]) => string;

interface Markdown {
  utils: { escapeHtml(text: string): string };
  renderer: { rules: { fence?: Rule; text?: Rule } };
}

/** Colours of the page, so that a picture follows its light and dark form. */
const LOOK = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  muted: 'var(--vp-c-text-2)',
  line: 'var(--vp-c-text-3)',
  transparent: true,
  padding: 12,
};

/** Smallest part of its own size at which the text of a picture can be read. */
const SMALLEST = 0.65;

/** Draws a Mermaid diagram: `renderMermaidSVG` of beautiful-mermaid. Throws for one that it cannot read. */
export type DrawDiagram = (source: string, look: typeof LOOK) => string;

/**
 * A diagram as a picture: as wide as the page, but large enough to read. Without the font that the
 * renderer would load from elsewhere. Throws for a picture that asks the network.
 */
export function drawPicture(source: string, draw: DrawDiagram): string {
  const svg = draw(source, LOOK).replace(/@import url\([^)]*\);\s*/g, '');
  if (!svg.startsWith('<svg ') || /url\(['"]?https?:/.test(svg))
    throw new Error(`This diagram is not a picture that needs no network:\n${source}`);
  const width = Number(/\bwidth="([\d.]+)"/.exec(svg)?.[1] ?? 0);
  return svg.replace(' style="', ` style="min-width: ${Math.round(width * SMALLEST)}px; `);
}

/**
 * Shows blocks in the language `mermaid` as pictures, drawn while the site is built, and `{{…}}` as
 * it is written: the generator evaluates it otherwise.
 */
export const createSiteMarkdown =
  (draw: DrawDiagram) =>
  (markdown: Markdown): void => {
    const { rules } = markdown.renderer;
    const { fence } = rules;
    rules.fence = (tokens, at, ...rest) => {
      const token = tokens[at];
      if (token?.info.trim() !== 'mermaid') return fence?.(tokens, at, ...rest) ?? '';
      // Vue drops the style of a picture that is part of the page itself.
      const svg = markdown.utils.escapeHtml(JSON.stringify(drawPicture(token.content, draw)));
      return `<div class="diagram" v-html="${svg}"></div>\n`;
    };
    rules.text = (tokens, at) =>
      markdown.utils.escapeHtml(tokens[at]?.content ?? '').replaceAll('{{', '&#123;&#123;');
  };
