import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const README = 'README.md';
const FOLDER = '.cache/package';
const OWN = `${FOLDER}/own.md`;
const PACKED = `${FOLDER}/packed.md`;

/** Puts the README of the package in place of that of the sources, which is kept. */
export function swapReadme(packed: (own: string) => string): void {
  const own = readFileSync(README, 'utf8');
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(OWN, own);
  writeFileSync(PACKED, packed(own));
  writeFileSync(README, packed(own));
}

/** Takes that back, also after a packing that was killed. One that was edited meanwhile stays. */
export function restoreReadme(): void {
  if (existsSync(PACKED) && readFileSync(README, 'utf8') === readFileSync(PACKED, 'utf8'))
    writeFileSync(README, readFileSync(OWN));
  rmSync(FOLDER, { recursive: true, force: true });
}
