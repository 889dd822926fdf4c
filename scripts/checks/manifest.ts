import { existsSync } from 'node:fs';
import { MANIFEST_FILE, manifestText } from '../oclifManifest.ts';
import type { Check } from './check.ts';
import { read } from './projectFiles.ts';

/** A stale manifest hides commands and flags from their users. */
export const manifest: Check = {
  name: 'manifest',
  async run() {
    const { text, commands } = await manifestText();
    const fresh = existsSync(MANIFEST_FILE) && read(MANIFEST_FILE) === text;
    return {
      looked: commands,
      at: 'commands',
      problems: fresh ? [] : [`${MANIFEST_FILE} does not match the sources: run npm run manifest`],
    };
  },
};
