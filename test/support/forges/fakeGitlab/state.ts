import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../../src/base/time/clock.ts';
import { GitStore } from '../fakeForge/gitStore.ts';

export interface FakeUser {
  id: number;
  login: string;
  bot: boolean;
  scopes: string[];
}

export const GUEST = 10;
export const DEVELOPER = 30;
export const MAINTAINER = 40;
export const OWNER = 50;

export interface FakeNote {
  id: number;
  type: 'DiscussionNote' | 'DiffNote' | null;
  author: string;
  body: string;
  at: number;
  visibleAt: number;
  system: boolean;
  resolvable: boolean;
  resolved: boolean;
  position: {
    new_path: string;
    old_path: string;
    new_line: number | null;
    old_line: number | null;
  } | null;
}

export interface FakeDraft {
  id: number;
  author: string;
  note: string;
  discussion: string | null;
  position: FakeNote['position'];
}

export interface FakeDiscussion {
  id: string;
  notes: FakeNote[];
}

export interface FakeStatus {
  id: number;
  name: string;
  status: string;
  allowFailure: boolean;
  at: number;
}

export interface FakePipeline {
  id: number;
  sha: string;
  ref: string;
  updatedAt: number;
  statuses: FakeStatus[];
}

export interface FakeMr {
  iid: number;
  title: string;
  description: string;
  source: string;
  target: string;
  author: string;
  state: 'opened' | 'closed' | 'merged';
  draft: boolean;
  createdAt: number;
  updatedAt: number;
  visibleAt: number;
  mergedAt: number | null;
  mergeVisibleAt: number;
  mergedBy: string | null;
  closedAt: number | null;
  closedBy: string | null;
  mergeCommit: string | null;
  squashCommit: string | null;
  approvals: string[];
  /** What came of the review of each reviewer, by login. */
  reviewers: Map<string, 'unreviewed' | 'requested_changes' | 'approved'>;
  discussions: FakeDiscussion[];
  drafts: FakeDraft[];
  /** The commits whose mergeability was asked for last, and from when on it is known. */
  checked: { commits: string; doneAt: number } | null;
  car: { by: string; at: number; squash: boolean } | null;
  /** As it was last determined: shown until the next time. */
  conflicts: boolean;
}

export interface FakeProject {
  id: number;
  path: string;
  description: string;
  visibility: 'private' | 'public';
  gitDir: string;
  members: Map<string, number>;
  mergeLevel: number;
  demandedApprovals: number;
  demandsResolved: boolean;
  demandsPipeline: boolean;
  fastForward: boolean;
  /** Whether merge requests join a train; a merge at once jumps it. */
  mergeTrains: boolean;
  /** Paths that it had before: reads are redirected, writes refused. */
  formerPaths: string[];
  /** Whether an older server ignores by which pipeline results are asked for. */
  ignoresPipeline: boolean;
  withoutCi: boolean;
  mrs: FakeMr[];
  pipelines: FakePipeline[];
}

export class FakeState extends GitStore {
  readonly clock: Clock;
  /** By token. */
  readonly users = new Map<string, FakeUser>();
  readonly groups = new Map<string, number>();
  readonly projects: FakeProject[] = [];
  /** How long reads do not show what was written, ms. */
  lagMs = 0;
  /** How long it takes to find out whether a merge request can be merged, ms. */
  checkMs = 0;
  #serial = 1000;

  constructor(clock: Clock) {
    super('gitlab');
    this.clock = clock;
  }

  id(): number {
    this.#serial += 1;
    return this.#serial;
  }

  addUser(token: string, login: string, more: Partial<FakeUser> = {}): FakeUser {
    const known = this.user(login);
    const user = { id: known?.id ?? this.id(), login, bot: false, scopes: ['api'], ...more };
    this.users.set(token, user);
    return user;
  }

  user(login: string): FakeUser | undefined {
    return [...this.users.values()].find((user) => user.login === login);
  }

  addProject(
    path: string,
    members: readonly string[],
    more: Partial<FakeProject> = {},
  ): FakeProject {
    const groups = path.split('/').slice(0, -1);
    groups.forEach((_, n) => {
      const group = groups.slice(0, n + 1).join('/');
      if (!this.groups.has(group)) this.groups.set(group, this.id());
    });
    const project: FakeProject = {
      id: this.id(),
      path,
      description: '',
      visibility: 'private',
      gitDir: this.make(path),
      members: new Map(members.map((login) => [login, DEVELOPER])),
      mergeLevel: DEVELOPER,
      demandedApprovals: 0,
      demandsResolved: false,
      demandsPipeline: false,
      fastForward: false,
      withoutCi: false,
      mergeTrains: false,
      formerPaths: [],
      ignoresPipeline: false,
      mrs: [],
      pipelines: [],
      ...more,
    };
    this.projects.push(project);
    return project;
  }

  project(path: string): FakeProject {
    const project = this.projects.find((one) => one.path.toLowerCase() === path.toLowerCase());
    if (!project) throw new Error(`the fake GitLab has no project ${path}`);
    return project;
  }

  mr(path: string, iid: number): FakeMr {
    const mr = this.project(path).mrs.find((one) => one.iid === iid);
    if (!mr) throw new Error(`${path} has no merge request ${iid}`);
    return mr;
  }

  /** Pushes to this branch are forbidden; GitLab refuses them in its hook. */
  protect({ gitDir }: FakeProject, branch: string): void {
    const hook = join(gitDir, 'hooks', 'pre-receive');
    const refusal =
      'GitLab: You are not allowed to push code to protected branches on this project.';
    writeFileSync(
      hook,
      `#!/bin/sh\nwhile read old new ref; do\n[ "$ref" = refs/heads/${branch} ] && { echo '${refusal}' >&2; exit 1; }\ndone\nexit 0\n`,
    );
    chmodSync(hook, 0o755);
  }
}
