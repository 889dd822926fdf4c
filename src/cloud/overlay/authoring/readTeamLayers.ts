import { SvcError } from '../../../base/errors/errors.ts';
import type { LayerList } from '../../../contract/schema/workflow/intelligence.ts';
import type { Layer } from '../../../workflows/overlay/layer.ts';
import { checkLayerPath } from '../../../workflows/overlay/writableFile.ts';
import type { Sql } from '../../database/database.ts';
import { readFiles } from '../overlayFiles.ts';
import { readNewestVersion } from '../versionRows.ts';

/** The folder of the base layer is the control plane's own business. */
const BASE_ORIGIN = 'svc at the control plane';

/** Throws SvcError `bad-argument`: repositories are on the machines of the runners. */
function refuseRepo({ repo }: { repo?: string }): void {
  if (repo !== undefined)
    throw new SvcError(
      'bad-argument',
      'The control plane has no repositories, so it has no layer of one. Leave repo out.',
    );
}

/** The layers of a team with the list of their files. `editable`: whether the caller may write the team's. */
export async function readTeamLayers(
  sql: Sql,
  base: Layer,
  { teamId, editable, query }: { teamId: string; editable: boolean; query: { repo?: string } },
): Promise<LayerList> {
  refuseRepo(query);
  const { version, files } = await readNewestVersion(sql, teamId);
  const baseFiles = [...base.files]
    .map(([path, bytes]) => ({ path, bytes: bytes.length }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    layers: [
      { name: 'base', origin: BASE_ORIGIN, editable: false, files: baseFiles },
      {
        name: 'tenant',
        origin: `version ${version} of the team's overlay`,
        editable,
        files: files.map(({ path, bytes }) => ({ path, bytes })),
      },
    ],
  };
}

/**
 * The layers of a team with this file alone, as far as they have it, base first. Throws SvcError `bad-argument` for a
 * path that leaves its layer.
 */
export async function readLayersOfPath(
  sql: Sql,
  base: Layer,
  teamId: string,
  query: { path: string; repo?: string },
): Promise<Layer[]> {
  refuseRepo(query);
  const { path } = query;
  checkLayerPath(path);
  const { version, files } = await readNewestVersion(sql, teamId);
  const bytes = base.files.get(path);
  return [
    {
      name: 'base',
      origin: BASE_ORIGIN,
      root: null,
      files: new Map(bytes === undefined ? [] : [[path, bytes]]),
    },
    {
      name: 'tenant',
      origin: `version ${version} of the team's overlay`,
      root: null,
      files: await readFiles(
        sql,
        teamId,
        files.filter((file) => file.path === path),
      ),
    },
  ];
}
