import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleAll, bundlePrograms } from '../scripts/bundle.ts';

const PROJECT = resolve(import.meta.dirname, '..');

/** Folders of one run of the benches: made when first asked for, gone at its end. */
export class Lab {
  readonly #folders: string[] = [];
  #package: Promise<string> | undefined;
  #hosts: Promise<string> | undefined;

  folder(name: string): string {
    const folder = mkdtempSync(join(tmpdir(), `svc-bench-${name}-`));
    this.#folders.push(folder);
    return folder;
  }

  /**
   * Folder of svc as it is installed, built from the sources as they are now: dist/ itself may
   * be older, or another process may be rebuilding it.
   */
  package(): Promise<string> {
    this.#package ??= this.#build();
    return this.#package;
  }

  /** The program `svc` of that package. */
  async program(): Promise<string> {
    return join(await this.package(), 'cli', 'bin', 'run.js');
  }

  /** Folder of the hosts, built as svc is: run from the sources, every function would cost more. */
  hosts(): Promise<string> {
    this.#hosts ??= this.#buildHosts();
    return this.#hosts;
  }

  /** Folder of the programs of a peer, `worker.js` and `sender.js`, built in the same way. */
  async peer(name: string): Promise<string> {
    const folder = this.#besidePackages();
    const sources = ['worker.ts', 'sender.ts'].map((file) => join('bench/peers', name, file));
    await bundlePrograms(sources, folder);
    return folder;
  }

  close(): void {
    // After a failure its programs still run, and may write meanwhile: an error here would hide the failure.
    const options = { recursive: true, force: true, maxRetries: 5 };
    for (const folder of this.#folders) rmSync(folder, options);
  }

  async #build(): Promise<string> {
    const root = this.#besidePackages();
    for (const part of ['package.json', 'oclif.manifest.json', 'cli/bin', 'intelligence']) {
      cpSync(join(PROJECT, part), join(root, part), { recursive: true });
    }
    await bundleAll(root);
    return root;
  }

  async #buildHosts(): Promise<string> {
    const folder = this.#besidePackages();
    const sources = readdirSync('bench/hosts').map((file) => join('bench/hosts', file));
    await bundlePrograms(sources, folder);
    return folder;
  }

  /** A folder from which the packages that are not bundled are found. */
  #besidePackages(): string {
    process.chdir(PROJECT);
    const cache = join(PROJECT, 'node_modules', '.cache', 'svc');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'bench-'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    this.#folders.push(folder);
    return folder;
  }
}
