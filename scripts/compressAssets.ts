import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);

/** Files that a page asks for first. Others, such as the grammars of languages, are compressed when they are sent. */
const COMPRESSED = /^assets\/[\w.-]+\.(?:js|css)$/;
/** Smaller files gain less than 1 KB, and larger ones (the layout of charts) take seconds to compress. */
const LEAST_BYTES = 8 * 1024;
const MOST_BYTES = 512 * 1024;

/**
 * Writes `<file>.br` beside scripts and style sheets: at its highest quality, which is too slow for a reply, brotli
 * saves another seventh of the bytes that a first visit loads.
 */
export const compressAssets = (): Plugin => ({
  name: 'svc-compress-assets',
  async writeBundle({ dir = '' }, bundle) {
    const names = Object.keys(bundle).filter((name) => COMPRESSED.test(name));
    await Promise.all(
      names.map(async (name) => {
        const path = join(dir, name);
        const bytes = readFileSync(path);
        if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES) return;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${path}.br`, await compress(bytes, { params }));
      }),
    );
  },
});
