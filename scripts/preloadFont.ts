import type { Plugin } from 'vite';

/** The file with the letters of English; the others are fetched when a text has letters of theirs. */
const BASIC = /inter-basic-[\w-]+\.woff2$/;

/**
 * Names the font in the page, so that it is fetched beside the script that needs it: otherwise the
 * first texts are drawn twice, and move. Fails where the build has no such file.
 */
export const preloadFont = (): Plugin => ({
  name: 'svc-preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const file = Object.keys(bundle).find((name) => BASIC.test(name));
      if (file === undefined) throw new Error('The build has no file of the font.');
      const attrs = {
        rel: 'preload',
        as: 'font',
        type: 'font/woff2',
        crossorigin: true,
        href: `/dashboard/${file}`,
      };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
});
