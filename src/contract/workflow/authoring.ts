import type { Caller } from '../schema/runner/caller.ts';
import type {
  FileQuery,
  FileVersion,
  FileVersionText,
  MergedFile,
  MergedQuery,
  PreflightBody,
  VersionQuery,
  IntelligenceFile,
  LayerList,
  LayersQuery,
  LintBody,
  LintReply,
  WrittenFile,
} from '../schema/workflow/intelligence.ts';
import type { PreflightReply } from '../schema/workflow/proposal.ts';
import type { SimulateBody, SimulationReply } from '../schema/workflow/simulation.ts';

/** What authors of workflows and agents can ask: findings of the linter, layers, files. */
export interface Authoring {
  /** Throws `bad-argument` for a path that leaves its layer. */
  lintText(body: LintBody): Promise<LintReply>;
  /**
   * Plays a job of a workflow without agents. Throws `workflow-invalid` where no phase can be read,
   * `invalid` for a script with mistakes.
   */
  simulateText(body: SimulateBody): Promise<SimulationReply>;
  intelligenceLayers(query: LayersQuery): Promise<LayerList>;
  /** Throws `bad-argument`, `not-found`. */
  intelligenceFile(query: FileQuery): Promise<{ etag: string; file: IntelligenceFile }>;
  /**
   * `by`: how the request came in; default open.
   *
   * Writes a markdown file of the tenant layer in the place of version `ifMatch`; null = there is
   * none yet. Throws `bad-argument`, `forbidden` for a link, `not-possible-now` without a tenant
   * folder, `precondition-required`, `precondition-failed`, `workflow-invalid` with the
   * diagnostics, `store-failed`; the file is then as it was.
   */
  writeIntelligenceFile(
    path: string,
    text: string,
    ifMatch: string | null,
    by?: Caller,
  ): Promise<{ etag: string; diagnostics: WrittenFile['diagnostics'] }>;
  /** Throws the same, and `not-found`. */
  removeIntelligenceFile(path: string, ifMatch: string | null, by?: Caller): Promise<void>;
  /** What files of any kind would come to. Nothing is written. Throws `bad-argument`. */
  preflight(body: PreflightBody): Promise<PreflightReply>;
  /** Who has changed a file of the tenant layer, newest first. */
  intelligenceHistory(path: string): FileVersion[];
  /** Throws `not-found`. */
  intelligenceVersion(query: VersionQuery): FileVersionText;
  /** A file as agents see it. Throws `bad-argument`, `not-found`. */
  mergedFile(query: MergedQuery): Promise<MergedFile>;
}
