import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Campaign } from '../../../src/contract/schema/job/campaign.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { AgentJob, ToolEventDraft, ToolReceipt } from '../../../src/contract/job/agentJob.ts';
import type { EvidenceQuery, JobEvidence } from '../../../src/contract/job/jobEvidence.ts';
import type {
  PhaseDefinition,
  WorkflowTable,
} from '../../../src/contract/schema/workflow/workflow.ts';
import type { ListedProposal, ProposalDraft } from '../../../src/contract/workflow/proposing.ts';
import { aProposalSummary } from './aProposal.ts';
import { aJob } from './aJob.ts';

type Command = NonNullable<Parameters<AgentJob['coordinate']>[1]>;

export const createPhase = (name: string): PhaseDefinition => ({
  name,
  agent: `agents/${name}.md`,
  model: null,
  status: name,
  interactive_checkpoint: false,
  provider: null,
  obligations: null,
});

export const createWorkflow = (...names: [string, ...string[]]): WorkflowTable => ({
  initial_phase: names[0],
  initial_status: names[0],
  phases: names.map(createPhase),
  coordinator: null,
});

/** A job that remembers what tools did to it; what it answers can be set. */
export class FakeJobPort implements AgentJob {
  readonly jobId = 'shop-job-1';
  readonly visit = 2;
  readonly session = 1;
  readonly phase = 'coding';
  readonly jobDir = '/work/shop-job-1';
  current: Job = aJob({
    type: 'feature',
    tenantId: 'local',
    params: { repoSlug: 'shop' },
    interactive: false,
    journalLength: 7,
  });
  readonly sent: { event: ToolEventDraft; key: string }[] = [];
  /** Calls of the orchestration tools; `sent` has the others. */
  readonly coordinated: { event: ToolEventDraft; command: Command | null; key: string }[] = [];
  problems: string[] = [];
  notes: string[] = [];
  subRuns: Campaign | null = null;
  readonly writes: {
    operation: string;
    args: Record<string, unknown>;
    key: string;
    forge: string | undefined;
  }[] = [];
  readonly reads: {
    operation: string;
    args: { repo: string; number: number };
    forge: string | undefined;
  }[] = [];
  readonly lines: { line: string; tag: string | null }[] = [];
  readonly stored: string[] = [];
  readonly proposed: { draft: ProposalDraft; key: string }[] = [];
  listed: ListedProposal[] = [];
  readonly workflows = new Map<string, WorkflowTable>([
    ['workflows/job.md', createWorkflow('planning', 'coding', 'testing')],
  ]);
  readonly memories = new Map([['memory/build.md', 'Use make.']]);
  /** Answer of the job to the next events; keys that were accepted are answered as duplicates. */
  receive: (event: ToolEventDraft, key: string) => Promise<ToolReceipt> = async (_event, key) => ({
    ok: true,
    duplicate: [...this.sent, ...this.coordinated].filter((one) => one.key === key).length > 1,
  });
  write: () => Promise<{ ok: boolean; result: Record<string, unknown> }> = async () => ({
    ok: true,
    result: { number: 1 },
  });

  job(): Job {
    return this.current;
  }

  async send(event: ToolEventDraft, key: string): Promise<ToolReceipt> {
    this.sent.push({ event, key });
    return this.receive(event, key);
  }

  async coordinate(
    event: ToolEventDraft,
    command: Command | null,
    key: string,
  ): Promise<ToolReceipt> {
    this.coordinated.push({ event, command, key });
    return this.receive(event, key);
  }

  async subRunProblems() {
    return this.problems;
  }

  subRunNotes() {
    return this.notes;
  }

  campaign() {
    return this.subRuns;
  }

  async forgeWrite(operation: string, args: Record<string, unknown>, key: string, forge?: string) {
    this.writes.push({ operation, args, key, forge });
    return this.write();
  }

  async forgeRead(
    operation: 'get_pr_status' | 'get_pr_comments',
    args: { repo: string; number: number },
    forge?: string,
  ) {
    this.reads.push({ operation, args, forge });
    return { operation, ...args };
  }

  async trackerWrite(
    operation: 'post_comment' | 'transition_issue',
    args: Record<string, unknown>,
    key: string,
    tracker?: string,
  ) {
    this.writes.push({ operation, args, key, forge: tracker });
    return this.write();
  }

  async trackerRead(operation: string, args: object, tracker?: string) {
    return { operation, ...args, tracker: tracker ?? null };
  }

  async repoRead(operation: 'read_file' | 'list_files' | 'search_code', args: { ref: string }) {
    return { operation, ...args };
  }

  async cloneRepo() {
    return { dir: 'shop-job-1/shop', absDir: '/work/shop-job-1/shop' };
  }

  async log(line: string, tag: string | null): Promise<void> {
    this.lines.push({ line, tag });
  }

  async storeBytes(bytes: Uint8Array) {
    this.stored.push(new TextDecoder().decode(bytes));
    return { sha256: sha256(bytes), size: bytes.length };
  }

  async storeFile(path: string) {
    return this.storeBytes(new TextEncoder().encode(`bytes of ${path}`));
  }

  async copyArtefact() {
    return null;
  }

  artefacts() {
    return this.current.artefacts;
  }

  readonly texts = new Map<string, string>();

  async artefactText(id: string, offset: number) {
    const artefact = this.current.artefacts.find((one) => one.id === id);
    if (!artefact) throw new SvcError('not-found', `This job has no artefact ${id}.`);
    return { artefact, text: (this.texts.get(id) ?? '').slice(offset), nextOffset: null };
  }

  insights() {
    return this.current.insights;
  }

  async propose(draft: ProposalDraft, key: string) {
    this.proposed.push({ draft, key });
    return aProposalSummary();
  }

  listProposals() {
    return this.listed;
  }

  async evidence({ since }: EvidenceQuery): Promise<JobEvidence> {
    return { since, jobs: 0, leftOut: 0, phases: [], quotes: [], quotesTotal: 0 };
  }

  async workflow(path: string): Promise<WorkflowTable> {
    const workflow = this.workflows.get(path);
    if (!workflow) throw new SvcError('not-found', `The workflow ${path} does not exist.`);
    return workflow;
  }

  async memory(path: string | null) {
    if (path === null) return { files: [...this.memories.keys()] };
    const text = this.memories.get(path);
    if (text === undefined)
      throw new SvcError('not-found', `The memory file ${path} does not exist.`);
    return { path, text };
  }
}
