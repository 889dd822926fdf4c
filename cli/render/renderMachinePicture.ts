import type { Machine } from '../../src/contract/schema/workflow/machine.ts';
import { buildLayoutInput } from '../../ui/chart/picture/buildLayoutInput.ts';
import {
  BUNDLE_FROM,
  buildMachineGraph,
  countFarArrows,
} from '../../ui/chart/picture/buildMachineGraph.ts';
import { buildDrawing } from '../../ui/chart/picture/drawing.ts';
import { renderPicture } from '../../ui/chart/picture/renderPicture.ts';
import { measureRoughly } from '../../ui/chart/picture/textWidth.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import elk, { type ELK } from 'elkjs/lib/elk-api.js';
import { findPackageRoot } from '../findPackageRoot.ts';

const NAME = /^elk-worker.*\.js$/;

/** The program as the dashboard loads it; in a clone without a build, that of its package. */
function findProgram(): string {
  const root = findPackageRoot(import.meta.url);
  const assets = join(root, 'dist/ui/assets');
  const assetName = existsSync(assets)
    ? readdirSync(assets).find((name) => NAME.test(name))
    : undefined;
  return assetName
    ? join(assets, assetName)
    : join(root, 'node_modules/elkjs/lib/elk-worker.min.js');
}

/**
 * The dashboard's layout program, in this thread. It is read from the file that browsers are
 * served, because a second copy would be a sixth of the package.
 */
function openLayoutProgram(): ELK {
  const file = findProgram();
  const module: { exports: { Worker?: new () => Worker } } = { exports: {} };
  compileFunction(readFileSync(file, 'utf8'), ['module', 'exports'], { filename: file })(
    module,
    module.exports,
  );
  const { Worker: LayoutWorker } = module.exports;
  if (!LayoutWorker) throw new Error(`${file} is not the layout program`);
  return new elk.default({ algorithms: ['layered'], workerFactory: () => new LayoutWorker() });
}

/** A chart as SVG, with the layout of the dashboard; text is measured without a screen. */
export async function renderMachinePicture({ label, definition }: Machine): Promise<string> {
  const bundled = countFarArrows(definition) > BUNDLE_FROM;
  const graph = buildMachineGraph(definition, { allEffects: false, bundled, plain: null });

  const layout = await openLayoutProgram().layout(buildLayoutInput(graph, measureRoughly, 'DOWN'));
  return renderPicture(buildDrawing(graph, layout, measureRoughly), label);
}
