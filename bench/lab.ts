import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleAll } from '../scripts/bundle.ts';

const PROJECT = resolve(import.meta.dirname, '..');

/** Folders of one run of the benches: made when first asked for, gone at its end. */
export class Lab {
  readonly #folders: string[] = [];
  #package: Promise<string> | undefined;

  /** A new empty folder. */
  folder(name: string): string {
    const folder = mkdtempSync(join(tmpdir(), `svc-bench-${name}-`));
    this.#folders.push(folder);
    return folder;
  }

  /** Folder of svc as it is installed, built from the sources of this minute: dist/ itself may be older, or be built anew by others. */
  package(): Promise<string> {
    this.#package ??= this.#build();
    return this.#package;
  }

  /** The program `svc` of that package. */
  async program(): Promise<string> {
    return join(await this.package(), 'cli', 'bin', 'run.js');
  }

  close(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  async #build(): Promise<string> {
    // Below node_modules, so that it finds the packages that are not bundled.
    const cache = join(PROJECT, 'node_modules', '.cache', 'svc');
    mkdirSync(cache, { recursive: true });
    const root = mkdtempSync(join(cache, 'bench-'));
    this.#folders.push(root);
    for (const part of ['package.json', 'oclif.manifest.json', 'cli/bin', 'intelligence']) {
      cpSync(join(PROJECT, part), join(root, part), { recursive: true });
    }
    process.chdir(PROJECT);
    await bundleAll(root);
    return root;
  }
}
