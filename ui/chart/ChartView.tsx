import { createMemo, createSignal, Show } from 'solid-js';
import type { Machine, MachineReply } from '../../src/contract/schema/workflow/machine.ts';
import type { WhatIfReply } from '../../src/contract/schema/api/replies.ts';
import { ChartExtras } from './ChartExtras.tsx';
import { ChartSide } from './ChartSide.tsx';
import type { LeavingArrow } from './chartSideProps.ts';
import {
  describeBox,
  describeStays,
  describeTargets,
  describeWayPlainly,
  describeWay,
} from './describeChart.ts';
import type { DraftFacts, EventDraft } from './eventDraft.ts';
import { withPhaseFlags } from './flaggedPhases.ts';
import { findDrawnBox, findFoldedGroups, listGroups } from './foldedGroups.ts';
import { GraphCanvas } from './GraphCanvas.tsx';
import type { ChartItem } from './chartItems.ts';
import { buildChartLook } from './buildChartLook.ts';
import {
  BUNDLE_FROM,
  flattenStates,
  countFarArrows,
  buildMachineGraph,
  isCrowded,
} from './picture/buildMachineGraph.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { type ChartExtra, readChartAddress, writeChartAddress } from './chartAddress.ts';
import { listChartExports } from './chartExports.ts';
import { addWorkflowExits } from './picture/addWorkflowExits.ts';
import { describeArrowCount, matchTransitions } from './picture/matchTransitions.ts';
import { describeTrailSteps, type TrailStep } from './trail.ts';
import { createReading } from '../shell/signals/createReading.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { runOnChange } from '../shell/signals/runOnChange.ts';
import './chart.css';

const NONE: readonly never[] = [];

interface ChartViewProps {
  machine: Machine;
  /** Paths of the current leaf states; absent where the chart has no running instance. */
  state?: readonly string[] | undefined;
  /** What the instance waits for; default: what the chart says of its states. */
  waits?: readonly string[] | undefined;
  open?: MachineReply['open'] | undefined;
  /** Asks what an event would lead to; the answer is shown in the picture. */
  ask?: ((event: EventDraft) => Promise<WhatIfReply>) | undefined;
  facts?: DraftFacts | undefined;
  /** Paths of the states that it repeats without progress, in order. */
  loop?: readonly string[] | undefined;
  /** A path to be shown: of a simulation, of a counterexample, or of the job. */
  trail?: readonly TrailStep[] | undefined;
  /** Paths of the states that the decision layer has flagged. */
  flagged?: readonly string[] | undefined;
  /** Plays a step of a script that takes the arrow; absent where nothing can be simulated. */
  simulate?: ((step: string) => void) | undefined;
  /** Whether technical terms are shown, where the page has the switch. Default: a switch of its own. */
  technical?: boolean | undefined;
}

export function ChartView(props: ChartViewProps) {
  const { client, shell } = useDashboard();
  const address = readChartAddress(location.hash);
  const [selectedItem, setSelectedItem] = createSignal<ChartItem | null>(address.selected);
  const [scale, setScale] = createSignal(address.scale);
  const [predictedPaths, setPredictedPaths] = createSignal<readonly string[]>(NONE);
  const [extras, setExtras] = createSignal(address.extras);
  const shows = (extra: ChartExtra) => extras().includes(extra);
  const allEffects = () => shows('effects');
  const technical = () => props.technical ?? shows('terms');
  const [bundles, setBundles] = createSignal<boolean | null>(null);
  // Each read of a job brings the same chart as a new object; it is drawn again only when it
  // differs.
  const text = createMemo(() => JSON.stringify(props.machine));
  const machine = createMemo(() => JSON.parse(text()) as Machine);
  const isWorkflow = () => machine().kind === 'workflow';
  const showsExits = () => shows('limits');
  const showsRuns = () => shows('runs');
  const root = createMemo(() => {
    const { definition } = machine();
    return isWorkflow() && showsExits() ? addWorkflowExits(definition) : definition;
  });
  const [answer, { refetch }] = createReading(
    () => (showsRuns() && isWorkflow() ? { workflow: machine().chart } : null),
    (query) => client.workflowRuns(query),
  );
  const state = () => props.state ?? NONE;
  /** By path of a group, whether a person wants it folded. */
  const [folds, setFolds] = createSignal<ReadonlyMap<string, boolean>>(new Map());
  const groups = createMemo(() => (isWorkflow() ? [] : listGroups(root())));
  const shownPaths = () => {
    const item = selectedItem();
    const path = item?.kind === 'way' ? item.id.replace(/#[^#]*$/, '') : (item?.id ?? '');
    return [...state(), ...predictedPaths(), path];
  };
  // The same groups cause no new drawing.
  const foldedText = createMemo(() =>
    groups().length === 0 ? '' : [...findFoldedGroups(root(), folds(), shownPaths())].join('\n'),
  );
  const foldedPaths = createMemo(
    () => new Set(foldedText() === '' ? [] : foldedText().split('\n')),
  );
  const fold = (paths: readonly string[], isFolded: boolean) =>
    setFolds((before) => new Map([...before, ...paths.map((path) => [path, isFolded] as const)]));
  const boxOf = (path: string | undefined): string | null =>
    path === undefined ? null : findDrawnBox(root(), foldedPaths(), path);
  const isLarge = createMemo(() => !isWorkflow() && state().length === 0 && isCrowded(root()));
  const [briefly, setBriefly] = createSignal<boolean | null>(null);
  /** A chosen arrow is drawn with its whole text. */
  const isBrief = createMemo(() => briefly() ?? (isLarge() && selectedItem()?.kind !== 'way'));
  const runs = createMemo(() => {
    const reply = answer.latest;
    if (!showsRuns() || !reply || reply.workflow !== machine().chart) return null;
    return { reply, counts: matchTransitions(root(), reply.transitions) };
  });
  const far = createMemo(() => countFarArrows(root()));
  const isBundled = () => bundles() ?? far() > BUNDLE_FROM;
  const flaggedPaths = () => props.flagged ?? NONE;
  // A new list of the same states causes no new drawing.
  const flags = createMemo(() => flaggedPaths().join('\n'));
  const graph = createMemo(() => {
    const plain = technical() ? null : machine().kind;
    const machineGraph = buildMachineGraph(root(), {
      allEffects: allEffects(),
      bundled: isBundled(),
      plain,
      counts: runs()?.counts ?? null,
      folded: foldedPaths(),
      brief: isBrief(),
    });
    return flags() === '' ? machineGraph : withPhaseFlags(machineGraph, flags().split('\n'));
  });
  const states = createMemo(
    () => new Map(flattenStates(root()).map((state) => [state.path, state])),
  );
  const arrows = createMemo(
    () =>
      new Map<string, LeavingArrow>(
        [...states().values()].flatMap((source) =>
          source.arrows.map((arrow) => [arrow.id, { arrow, source }] as const),
        ),
      ),
  );
  const open = () => props.open ?? [];
  const look = createMemo(() =>
    buildChartLook(root(), graph(), {
      state: state(),
      open: open(),
      predicted: predictedPaths(),
      selected: selectedItem(),
      loop: props.loop,
      trail: props.trail,
      flagged: flaggedPaths(),
    }),
  );

  runOnChange(
    () => machine().chart,
    () => {
      setSelectedItem(null);
      setFolds(new Map());
      setBriefly(null);
    },
    { defer: true },
  );
  // A link to this page leads to the same view.
  runOnChange(
    () => {
      // The address of another chart begins without it.
      machine();
      return writeChartAddress(location.hash, {
        selected: selectedItem(),
        scale: scale(),
        extras: extras(),
      });
    },
    (hash) => hash === location.hash || history.replaceState(null, '', hash),
    { defer: true },
  );
  runOnChange(
    () => `${state()}|${selectedItem()?.id}`,
    () => setPredictedPaths(NONE),
    { defer: true },
  );

  function describeItem({ kind, id }: ChartItem): string {
    const node = kind === 'box' ? states().get(id) : undefined;
    if (node) {
      const stays = isWorkflow() ? describeStays(node) : '';
      const name = `${describeBox(node, state().includes(id), flaggedPaths().includes(id))}${stays}`;
      const steps = describeTrailSteps(props.trail ?? NONE, id);
      const whole = steps === '' ? name : `${name}, ${steps}`;
      return isBrief() ? `${whole}${describeTargets(node, machine().kind)}` : whole;
    }
    const leaving = arrows().get(id);
    const openness = open().find(({ arrow }) => arrow === id)?.open;
    if (!leaving) return id;
    const way = technical()
      ? describeWay(leaving.arrow, leaving.source.path, openness)
      : describeWayPlainly(leaving.arrow, leaving.source, openness, machine().kind);
    const count = runs()?.counts.arrows.get(id);
    return count ? `${way}, ${describeArrowCount(count)}` : way;
  }

  return (
    <div class="chart">
      <Show when={showsRuns() && answer.error}>
        {(error) => (
          <div class="chart-problem">
            <Problem error={error()} retry={() => void refetch()} />
          </div>
        )}
      </Show>
      <GraphCanvas
        graph={graph()}
        subject={machine().chart}
        label={`Chart ${machine().label}`}
        look={look()}
        selected={selectedItem()}
        select={setSelectedItem}
        describeItem={describeItem}
        home={boxOf(state()[0])}
        aim={boxOf(predictedPaths()[0])}
        firstScale={address.scale}
        onZoom={setScale}
        exports={listChartExports(shell, machine())}
        options={
          <>
            <ChartExtras
              shown={extras()}
              offered={[
                ...(props.technical === undefined ? (['terms'] as const) : []),
                'effects',
                ...(isWorkflow() ? (['limits', 'runs'] as const) : []),
              ]}
              change={setExtras}
            />
            {groups().length > 0 && (
              <label title="Draws each group of states as one box; a selected group has a button of its own">
                <input
                  type="checkbox"
                  checked={groups().every((path) => foldedPaths().has(path))}
                  onChange={({ currentTarget }) => fold(groups(), currentTarget.checked)}
                />
                Fold groups
              </label>
            )}
            {isLarge() && (
              <label title="What an arrow says; the panel of a state lists its transitions too">
                <input
                  type="checkbox"
                  checked={!isBrief()}
                  onChange={({ currentTarget }) => setBriefly(!currentTarget.checked)}
                />
                Texts of arrows
              </label>
            )}
            {far() > 0 && (
              <label>
                <input
                  type="checkbox"
                  checked={isBundled()}
                  onChange={({ currentTarget }) => setBundles(currentTarget.checked)}
                />
                Group long arrows
              </label>
            )}
          </>
        }
      />
      <ChartSide
        machine={machine()}
        technical={technical()}
        states={states()}
        arrows={arrows()}
        state={state()}
        waits={props.waits}
        open={open()}
        selected={selectedItem()}
        select={setSelectedItem}
        facts={props.facts ?? {}}
        ask={props.ask}
        simulate={props.simulate}
        runs={runs()}
        folded={foldedPaths()}
        fold={(path, isFolded) => fold([path], isFolded)}
        predict={setPredictedPaths}
      />
    </div>
  );
}
