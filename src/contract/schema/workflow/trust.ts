import Type from 'typebox';
import { closed, nullable } from '../kit/schemaKit.ts';

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** A file of a repository that could make something run. */
export const WantedFile = Type.Object({
  /** Path in the repository. */
  path: Type.String(),
  /** Why it needs trust. */
  reason: Type.String(),
  sha256: Sha256,
  /** Programs and addresses that it names, one line each, as far as they can be read out of it. */
  runs: Type.Array(Type.String()),
  /** Names of variables of the environment that its tool servers refer to. */
  variables: Type.Array(Type.String()),
  /** What has happened to it since the repository was trusted; null = it never was. */
  since: nullable(Type.Enum(['same', 'changed', 'new'])),
});
export type WantedFile = Type.Static<typeof WantedFile>;

/** What is known of the trust in one repository. */
export const TrustView = Type.Object({
  /** Slug. */
  repo: Type.String(),
  /** Folder of the git repository that the slug names. */
  path: Type.String(),
  /** Commit of the base branch that was read; null = it could not be read. */
  commit: nullable(Type.String()),
  /**
   * `nothing`: it holds nothing that runs. `changed`: it was trusted, and has changed since or is
   * another repository. `gone`: it was trusted and is no longer configured. `unreadable`: see
   * `problem`.
   */
  state: Type.Enum(['nothing', 'untrusted', 'trusted', 'changed', 'gone', 'unreadable']),
  /**
   * Changes with everything that wants trust; what POST /trust is given. Null where nothing wants
   * it.
   */
  hash: nullable(Sha256),
  /** ISO 8601; null = never. */
  trustedAt: nullable(Type.String()),
  problem: nullable(Type.String()),
  wants: Type.Array(WantedFile),
  /** Names of variables of the runner's environment that its tool servers may be given. */
  env: Type.Array(Type.String()),
});
export type TrustView = Type.Static<typeof TrustView>;
export const TrustList = Type.Array(TrustView);

/**
 * `hash` is that of the view which the person has seen. `env`: names of variables that its tool
 * servers may be given, in addition to those that were allowed with the same hash; left out = none.
 */
export const TrustBody = Type.Object(
  {
    repo: Type.String({ minLength: 1, maxLength: 200 }),
    hash: Sha256,
    env: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$' }), { maxItems: 100 }),
    ),
  },
  closed,
);
export type TrustBody = Type.Static<typeof TrustBody>;
