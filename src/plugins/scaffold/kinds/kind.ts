import type { PluginManifest } from '../../../contract/schema/runner/plugin.ts';

/** What the scaffold of a kind of plugin has of its own. */
export interface ScaffoldKind {
  /** Members of the manifest beside id, kind, title, contract and entry. */
  manifest: Pick<PluginManifest, 'capabilities' | 'offers' | 'settings' | 'webhook'>;
  /** What its title begins with: `The executor`. */
  noun: string;
  /** Text of `src/index.ts`. */
  index: string;
  /** Further sources by path; default none. */
  more?: Readonly<Record<string, string>>;
  /** Text of `test/plugin.test.mjs`. */
  test: string;
  /** How it is used, for its README, without settings. `ID` stands for the id. */
  use: string;
  /** Settings for its README. */
  config: Readonly<Record<string, string>>;
}

/** First lines of every test. */
export const TEST_HEAD = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import plugin from '../dist/index.js';
`;
