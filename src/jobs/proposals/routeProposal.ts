import type { ProposalLayer } from '../../base/agents/proposals.ts';
import { SvcError } from '../../base/errors/errors.ts';

interface RoutingRequest {
  paths: readonly string[];
  /** The layer that the agent names; undefined = none. */
  targetLayer: ProposalLayer | undefined;
}

const isRepositoryPath = (path: string): boolean => path.startsWith('.svc/');

const createRoutingError = (message: string): SvcError => new SvcError('bad-argument', message);

function routeByPath({ paths, targetLayer }: RoutingRequest): ProposalLayer {
  const own = paths.filter(isRepositoryPath);
  if (own.length > 0 && own.length < paths.length)
    throw createRoutingError(
      `${own[0]} goes to the repository and ${paths.find((path) => !isRepositoryPath(path))} to the team: propose them separately. Paths below .svc/ belong to the repository.`,
    );
  const layer = own.length > 0 ? 'repo' : 'tenant';
  if (targetLayer !== undefined && targetLayer !== layer)
    throw createRoutingError(
      `The paths go to the ${layer} layer, and targetLayer says ${targetLayer}. Paths below .svc/ go to the repository, all others to the team (proposals.routing.strategy is path).`,
    );
  return layer;
}

function routeByAgent({ paths, targetLayer }: RoutingRequest): ProposalLayer {
  if (targetLayer === undefined)
    throw createRoutingError(
      'Name targetLayer: tenant (the team) or repo (the repository of this job). The configuration asks agents to choose (proposals.routing.strategy is agent).',
    );
  const foreign = targetLayer === 'tenant' ? paths.find(isRepositoryPath) : undefined;
  if (foreign !== undefined)
    throw createRoutingError(
      `${foreign} is a path of a repository. In the tenant layer it is ${foreign.slice('.svc/'.length)}.`,
    );
  return targetLayer;
}

/** The layer of a proposal. Throws SvcError `bad-argument` if it is unclear. */
export const routeProposal = (
  strategy: 'path' | 'agent',
  routingRequest: RoutingRequest,
): ProposalLayer =>
  strategy === 'path' ? routeByPath(routingRequest) : routeByAgent(routingRequest);

/**
 * The path of a file in its layer: `.svc/<rest>` or `.claude/<rest>` in a repository, unchanged in
 * the team's folder.
 */
export const toLayerPath = (layer: ProposalLayer, path: string): string =>
  layer === 'tenant' || isRepositoryPath(path) || path.startsWith('.claude/')
    ? path
    : `.svc/${path}`;

export const toOverlayPath = (path: string): string =>
  isRepositoryPath(path) ? path.slice('.svc/'.length) : path;
