import Type from 'typebox';
import { Caller } from '../runner/caller.ts';
import { Diagnostic } from './diagnostic.ts';
import { IsoTime, closed } from '../kit/schemaKit.ts';
import { InvariantProof } from './invariantProof.ts';
import { Machine } from './machine.ts';

const LayerName = Type.Union([Type.Literal('base'), Type.Literal('tenant'), Type.Literal('repo')]);

/**
 * Longest text of a file that is taken, characters. The linter says more of one that is over its
 * own limit.
 */
export const MAX_INTELLIGENCE_CHARS = 512 * 1024;

const Path = Type.String({ minLength: 1, maxLength: 512 });
const Text = Type.String({ maxLength: MAX_INTELLIGENCE_CHARS });
const Slug = Type.String({ minLength: 1, maxLength: 256 });

/**
 * Body of POST /workflows/lint: a text as if it were at this path of the overlay. Nothing is
 * written.
 */
export const LintBody = Type.Object(
  {
    path: Path,
    text: Text,
    /** Whose rules hold; default tenant. */
    layer: Type.Optional(LayerName),
    /** With the layer of this repository around it; default: base and tenant. */
    repo: Type.Optional(Slug),
  },
  closed,
);
export type LintBody = Type.Static<typeof LintBody>;

export const LintReply = Type.Object({
  diagnostics: Type.Array(Diagnostic),
  /**
   * The chart of a workflow as far as it could be read, mistakes or not; null for an agent, and
   * where no phase could be read.
   */
  machine: Type.Union([Machine, Type.Null()]),
  /** What was proved of each invariant; empty for an agent, and where the workflow has other errors. */
  proofs: Type.Array(InvariantProof),
});
export type LintReply = Type.Static<typeof LintReply>;

export const LayersQuery = Type.Object({ repo: Type.Optional(Slug) }, closed);
export type LayersQuery = Type.Static<typeof LayersQuery>;

/**
 * Reply of GET /intelligence/layers: base first; a later layer's file counts instead of an earlier
 * one's.
 */
export const LayerList = Type.Object({
  layers: Type.Array(
    Type.Object({
      name: LayerName,
      /**
       * A folder, or `<repository>@<commit>`; of a gitRemote overlay its address without a login.
       */
      origin: Type.String(),
      /**
       * Why an earlier commit is used and not the newest state of its repository; left out = the
       * newest is used.
       */
      problem: Type.Optional(Type.String()),
      /**
       * What of it is bad, such as a broken link, and so not used, with how to fix it; what is
       * beside it is used. Left out = nothing.
       */
      leftOut: Type.Optional(
        Type.Array(
          Type.Object({ path: Type.String(), reason: Type.String(), hint: Type.String() }),
        ),
      ),
      /** Whether PUT /intelligence/file writes to it. */
      editable: Type.Boolean(),
      files: Type.Array(Type.Object({ path: Type.String(), bytes: Type.Integer() })),
    }),
  ),
});
export type LayerList = Type.Static<typeof LayerList>;

/** `layer`: default the one whose file counts. */
export const FileQuery = Type.Object(
  { path: Path, layer: Type.Optional(LayerName), repo: Type.Optional(Slug) },
  closed,
);
export type FileQuery = Type.Static<typeof FileQuery>;

/** A file of one layer; the reply's ETag is its version. */
export const IntelligenceFile = Type.Object({
  path: Type.String(),
  layer: LayerName,
  text: Type.String(),
  editable: Type.Boolean(),
  /**
   * All layers that have the path, base first: the last one's file counts, or all of them where
   * texts are appended.
   */
  layers: Type.Array(LayerName),
});
export type IntelligenceFile = Type.Static<typeof IntelligenceFile>;

/** Query of PUT and DELETE /intelligence/file: a path of the tenant layer. */
export const TenantFileQuery = Type.Object({ path: Path }, closed);
export type TenantFileQuery = Type.Static<typeof TenantFileQuery>;

export const WriteFileBody = Type.Object({ text: Text }, closed);
export type WriteFileBody = Type.Static<typeof WriteFileBody>;

/** Reply of PUT /intelligence/file: the warnings that are left. */
export const WrittenFile = Type.Object({
  path: Type.String(),
  diagnostics: Type.Array(Diagnostic),
});
export type WrittenFile = Type.Static<typeof WrittenFile>;

/** Query of GET /intelligence/history: a path of the tenant layer. */
export const HistoryQuery = Type.Object({ path: Path }, closed);

/** One version of a file that is kept. */
export const FileVersion = Type.Object({
  /** From 1 on. */
  n: Type.Integer({ minimum: 1 }),
  at: IsoTime,
  /** Who has written it; `on disk` where it was changed by other means than svc. */
  author: Type.String(),
  /** How the request came in; null for what was found on disk. */
  by: Type.Union([Caller, Type.Null()]),
  /** The proposal that brought it; null = none. */
  proposal: Type.Union([Type.String(), Type.Null()]),
  change: Type.Enum(['created', 'changed', 'removed']),
  chars: Type.Integer({ minimum: 0 }),
});
export type FileVersion = Type.Static<typeof FileVersion>;
/** Reply of GET /intelligence/history: newest first, at most 50. */
export const FileHistory = Type.Array(FileVersion);

/** Query of GET /intelligence/version. */
export const VersionQuery = Type.Object(
  { path: Path, n: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }) },
  closed,
);
export type VersionQuery = Type.Static<typeof VersionQuery>;
export const FileVersionText = Type.Object({
  path: Type.String(),
  n: Type.Integer(),
  /** null = the file was removed. */
  text: Type.Union([Type.String(), Type.Null()]),
});
export type FileVersionText = Type.Static<typeof FileVersionText>;

/** Query of GET /intelligence/merged. */
export const MergedQuery = Type.Object({ path: Path, repo: Type.Optional(Slug) }, closed);
export type MergedQuery = Type.Static<typeof MergedQuery>;

/** A file as agents see it, with the layer that each line comes from. */
export const MergedFile = Type.Object({
  path: Type.String(),
  text: Type.String(),
  /** Runs of lines, in their order; null = svc has written them. */
  parts: Type.Array(
    Type.Object({
      layer: Type.Union([LayerName, Type.Null()]),
      lines: Type.Integer({ minimum: 1 }),
    }),
  ),
  /** Layers whose file at this path does not count. */
  replaces: Type.Array(LayerName),
});
export type MergedFile = Type.Static<typeof MergedFile>;

/** Most files of one preflight. */
export const MAX_PREFLIGHT_FILES = 100;

/** Body of POST /intelligence/preflight: files of any kind, as if they were written. */
export const PreflightBody = Type.Object(
  {
    files: Type.Array(Type.Object({ path: Path, text: Type.Union([Text, Type.Null()]) }, closed), {
      minItems: 1,
      maxItems: MAX_PREFLIGHT_FILES,
    }),
    /** Whose files they are; default tenant. */
    layer: Type.Optional(Type.Enum(['tenant', 'repo'])),
    /** With the layer of this repository around it; needed for the layer repo. */
    repo: Type.Optional(Slug),
  },
  closed,
);
export type PreflightBody = Type.Static<typeof PreflightBody>;
