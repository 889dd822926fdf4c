import { join } from 'node:path';
import { anchor } from '../reference/markdown.ts';
import { buildSidebar } from './sidebar.ts';
import { createSiteMarkdown, type DrawDiagram } from './siteMarkdown.ts';

/** Folder of everything that `npm run docs` makes; git ignores it. */
export const SITE_FOLDER = 'site';
export const PAGES_FOLDER = join(SITE_FOLDER, 'pages');
export const HTML_FOLDER = join(SITE_FOLDER, 'html');

/** Settings of VitePress, which fails on dead links by default. `draw` is not a part of svc. */
export const siteConfig = (root: string, draw: DrawDiagram) => ({
  title: 'svc',
  description: 'An always-on runner for coding-agent jobs.',
  // No icon: a browser asks for one otherwise.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  outDir: join(root, HTML_FOLDER),
  cacheDir: join(root, SITE_FOLDER, 'cache'),
  // Defaults of commands, such as the address of a control plane.
  ignoreDeadLinks: 'localhostLinks' as const,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: buildSidebar(join(root, PAGES_FOLDER)),
  },
  markdown: {
    // `<name>` in a text is not HTML.
    html: false,
    anchor: { slugify: anchor },
    config: createSiteMarkdown(draw),
  },
});
