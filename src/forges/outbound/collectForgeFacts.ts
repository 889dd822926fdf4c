import type { WriteFacts } from '../../../machines/index.ts';
import type { WritesToEntry } from '../../contract/schema/forge/parseWritesTo.ts';
import type { Forge } from '../../contract/forge/forge.ts';
import { readJobRepo } from '../../providers/forges.ts';
import { isAgentName } from '../../providers/local/describe.ts';
import {
  type AskedWrite,
  collectWritesToEntries,
  type KnownWrite,
  NO_FACTS,
  toWriteSite,
  type WriteFactsDeps,
} from './knownWrite.ts';
import { locateRepo } from './namedRepository.ts';
import { findFollowedSubject, toTicketReference } from './collectTicketFacts.ts';

/** How a ticket or a comment names a pull request of a forge. */
const SIGNS: Readonly<Record<string, string>> = { github: '#', gitlab: '!', bitbucket: '!' };

function isCreated({ rows }: WriteFactsDeps, jobId: string, forge: Forge, repo: string): boolean {
  const createdRepos = {
    forge: forge.id,
    state: 'done',
    job_id: jobId,
    operation: 'create_repo',
  } as const;
  return rows.all('forge_writes', createdRepos).some((row) => {
    const createdRepo: unknown = Object(Object(JSON.parse(row.result)).result).repo;
    return [row.repo, createdRepo].some(
      (name) => typeof name === 'string' && forge.canonical(name) === repo,
    );
  });
}

function isOwnRepository(deps: WriteFactsDeps, jobId: string, forge: Forge, repo: string): boolean {
  const params = readJobRepo(deps.readContext(jobId).params);
  const own = params && locateRepo(deps.forges, params);
  return (own?.forge === forge.id && own.repo === repo) || isCreated(deps, jobId, forge, repo);
}

const isNamedByEntries = (
  entries: readonly WritesToEntry[],
  forge: Forge,
  repo: string,
  number: number,
): boolean =>
  entries.some(
    (entry) =>
      (entry.provider === forge.id ||
        (entry.number !== null && toWriteSite(entry.provider) === forge.id)) &&
      forge.canonical(entry.name) === repo &&
      (entry.number === null || entry.number === number),
  );

/**
 * The names under which a repository is stored. Pull requests are looked up by these: a forge alone
 * may have a million.
 */
const listStoredRepoNames = ({ prs }: WriteFactsDeps, forge: Forge, repo: string): string[] =>
  prs.repositories(forge.id).filter((name) => forge.canonical(name) === repo);

function collectPrFacts(
  deps: WriteFactsDeps,
  jobId: string,
  forge: Forge,
  repo: string,
  number: number,
): WriteFacts {
  const { rows, readContext } = deps;
  const context = readContext(jobId);
  const [mapped] = listStoredRepoNames(deps, forge, repo).flatMap((name) =>
    rows.all('pr_mappings', { forge: forge.id, repo: name, number }),
  );
  const sign = SIGNS[forge.id];
  const reference = sign === undefined ? null : `${repo}${sign}${number}`;
  const subject = findFollowedSubject(deps, jobId);
  const isFollowed = subject?.site === forge.id && subject.reference === reference;
  const opener = rows.one('forge_prs', { repo, number });
  const isLocal = !forge.capabilities.remote;
  return {
    ...NO_FACTS,
    ownRepository: isOwnRepository(deps, jobId, forge, repo),
    ownPullRequest:
      mapped?.job_id === jobId && context.prs.some(({ prId }) => prId === mapped.pr_id),
    ownTicket: reference !== null && toTicketReference(context.params, forge.id) === reference,
    named: isFollowed || isNamedByEntries(collectWritesToEntries(context), forge, repo, number),
    ofSubRun: mapped !== undefined && readContext(mapped.job_id).subRunOf?.parentJobId === jobId,
    openedBySvc:
      mapped !== undefined || (isLocal && opener !== undefined && isAgentName(opener.author)),
  };
}

/**
 * Whether svc's own account has opened it: for a job of another svc home, or for a person who
 * shares the account.
 */
async function isBySvc(forge: Forge, repo: string, number: number): Promise<boolean> {
  const [self, { author }] = [await forge.self(), await forge.pullRequest(repo, number)];
  return self !== null && author.toLowerCase() === self.toLowerCase();
}

/** What the rule needs to know about a new pull request. The push goes to its head branch. */
async function collectCreationFacts(
  deps: WriteFactsDeps,
  jobId: string,
  forge: Forge,
  repo: string,
  head: string,
): Promise<WriteFacts> {
  const open = listStoredRepoNames(deps, forge, repo).map(
    (name) => ({ state: 'open', forge: forge.id, repo: name }) as const,
  );
  const ofHead = open.flatMap((where) => deps.rows.all('pr_mappings', { ...where, head }));
  const other = ofHead.find((row) => row.job_id !== jobId);
  const isOwn = ofHead.some((row) => row.job_id === jobId);
  const isTarget =
    !isOwn && open.some((where) => deps.rows.one('pr_mappings', { ...where, base: head }));
  // The default branch is never pushed to. It may be the head: then the forge's own commits are
  // compared.
  const isPushed = isTarget && (await forge.source(repo, { fresh: false }))?.defaultBranch !== head;
  return {
    ...NO_FACTS,
    ownRepository: isOwnRepository(deps, jobId, forge, repo),
    branchOwner: other ? { prId: other.pr_id, jobId: other.job_id } : null,
    headIsTarget: isPushed,
  };
}

/**
 * What the rule needs to know about a write to a forge. A repository with an invalid name belongs
 * to no job.
 */
export async function collectForgeFacts(
  deps: WriteFactsDeps,
  jobId: string,
  forge: Forge,
  write: AskedWrite,
): Promise<KnownWrite> {
  const { repo: givenRepo, number, head = '' } = write.args;
  const repo = forge.canonical(String(givenRepo));
  const entry = `${forge.id}:${String(givenRepo)}${typeof number === 'number' ? `#${number}` : ''}`;
  const place = { entry, head: String(head) };
  if (repo === null) return { place, facts: NO_FACTS };
  if (write.operation === 'create_pr')
    return { place, facts: await collectCreationFacts(deps, jobId, forge, repo, String(head)) };
  if (typeof number !== 'number') return { place, facts: NO_FACTS };
  const facts = collectPrFacts(deps, jobId, forge, repo, number);
  if (write.operation !== 'approve_pr' || facts.openedBySvc || !facts.named)
    return { place, facts };
  return {
    place,
    facts: { ...facts, openedBySvc: await isBySvc(forge, String(givenRepo), number) },
  };
}
