/**
 * npm run manifest: writes oclif.manifest.json, from which oclif knows the commands without loading
 * them.
 */
import { writeFileSync } from 'node:fs';
import { MANIFEST_FILE, manifestText } from './oclifManifest.ts';

const { text, commands } = await manifestText();
writeFileSync(MANIFEST_FILE, text);
console.log(`${MANIFEST_FILE}: ${commands} commands`);
