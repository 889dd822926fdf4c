import {
  BitbucketStage,
  REPO as BITBUCKET_REPO,
  TOKEN as BITBUCKET_TOKEN,
} from './bitbucketStage.ts';
import { mergePr } from './fakeGithub/pulls.ts';
import type { GitPlace, GitStore } from './fakeForge/gitStore.ts';
import { GithubStage, REPO as GITHUB_REPO, TOKEN as GITHUB_TOKEN } from './githubStage.ts';
import { mergeMr } from './fakeGitlab/mergeRequests.ts';
import { GitlabStage, REPO as GITLAB_REPO, TOKEN as GITLAB_TOKEN } from './gitlabStage.ts';

/** What people do at a forge with pull requests that svc has opened, each by its number. */
export interface PullForge {
  id: string;
  repo: string;
  /** Of the plugin. */
  config: Record<string, unknown>;
  git: GitStore;
  place: GitPlace;
  listHeads(): string[];
  merge(number: number): void;
  close(number: number): void;
  removeRepository(): void;
  restoreRepository(): void;
  stop(): Promise<void>;
}

/** Items by their place, from 1. */
const pick = <Item>(items: readonly Item[], number: number): Item => {
  const item = items[number - 1];
  if (item === undefined) throw new Error(`no pull request ${number}`);
  return item;
};

const takeOut = <Item>(items: Item[], item: Item): void =>
  void items.splice(items.indexOf(item), 1);

async function openGithub(): Promise<PullForge> {
  const stage = await GithubStage.open();
  const { repo, github } = stage;
  const { state } = github;
  return {
    id: 'github',
    repo: GITHUB_REPO,
    config: { token: GITHUB_TOKEN, baseUrl: github.url },
    git: state,
    place: repo,
    listHeads: () => repo.prs.map(({ head }) => head),
    merge: (number) => void mergePr(state, repo, pick(repo.prs, number), 'ann', 'Merged'),
    close(number) {
      const now = Date.now();
      const over = { closedAt: now, closedBy: 'ann', updatedAt: now };
      Object.assign(pick(repo.prs, number), { state: 'CLOSED', ...over });
    },
    removeRepository: () => takeOut(state.repos, repo),
    restoreRepository: () => void state.repos.push(repo),
    stop: () => stage.end(),
  };
}

async function openGitlab(): Promise<PullForge> {
  const stage = await GitlabStage.open();
  const { project, server } = stage;
  const { state } = server;
  return {
    id: 'gitlab',
    repo: GITLAB_REPO,
    config: { token: GITLAB_TOKEN, baseUrl: server.url },
    git: state,
    place: project,
    listHeads: () => project.mrs.map(({ source }) => source),
    merge: (number) => mergeMr(state, project, pick(project.mrs, number), 'ann'),
    close(number) {
      const now = Date.now();
      const over = { closedAt: now, closedBy: 'ann', updatedAt: now };
      Object.assign(pick(project.mrs, number), { state: 'closed', ...over });
    },
    removeRepository: () => takeOut(state.projects, project),
    restoreRepository: () => void state.projects.push(project),
    stop: () => stage.end(),
  };
}

async function openBitbucket(): Promise<PullForge> {
  const stage = await BitbucketStage.open();
  const { repo, bitbucket } = stage;
  const { state } = bitbucket;
  return {
    id: 'bitbucket',
    repo: BITBUCKET_REPO,
    config: { token: BITBUCKET_TOKEN, baseUrl: bitbucket.url, username: 'svc-robot@acme.test' },
    git: state,
    place: repo,
    listHeads: () => repo.prs.map(({ head }) => head),
    merge: (number) => state.mergePr(repo, pick(repo.prs, number), 'ann', 'Merged'),
    close: (number) => state.declinePr(pick(repo.prs, number), 'ann'),
    removeRepository: () => takeOut(state.repos, repo),
    restoreRepository: () => void state.repos.push(repo),
    stop: () => stage.end(),
  };
}

/** The fakes of the forges behind a network, each with one repository. */
export const PULL_FORGES = { github: openGithub, gitlab: openGitlab, bitbucket: openBitbucket };
