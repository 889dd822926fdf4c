import type { MayAct } from '../../base/concurrency/mayAct.ts';
import type { OpenAccount } from './account.ts';
import type { Forge } from './forge.ts';
import type { PluginContext, PluginParts } from '../runner/plugin.ts';
import type { Tables } from '../records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';

/**
 * Committed rows of a forge's tables. The forge never writes: it answers rows, and the caller
 * commits them.
 */
export type RowSource = TypedRows<Pick<Tables, 'forge_prs' | 'forge_comments' | 'forge_reviews'>>;

/** What a forge that is part of svc is given. */
export interface ForgeContext extends PluginContext {
  /** Committed rows of the forge's tables. */
  rows: RowSource;
  /** Git repositories on this disk, by slug. */
  repos: Readonly<Record<string, { path: string; defaultBranch: string | null }>>;
  webUrl(repo: string, number: number): string;
  /** Asked right before each push, and before a repository on this disk changes. */
  mayAct: MayAct;
  /** For a forge behind a network: left out = it gets none. */
  remote?: {
    /** The way to an account; the same account always gets the same account client. */
    openAccount: OpenAccount;
    /** Absolute folder for mirrors of its repositories. */
    mirrorsDir: string;
  };
}

export type OwnForge = PluginParts & Forge;

/**
 * A forge that is part of svc. It runs in the runner's process and knows its tables; one that is
 * installed gets by with `ScmForge`, which the runner adapts.
 */
export interface BuiltInForgePlugin {
  kind: 'scm';
  builtIn: true;
  create(context: ForgeContext): OwnForge | Promise<OwnForge>;
}

export const defineForge = (plugin: Omit<BuiltInForgePlugin, 'builtIn'>): BuiltInForgePlugin => ({
  ...plugin,
  builtIn: true,
});
