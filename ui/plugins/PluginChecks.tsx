import { createSignal, For, Show } from 'solid-js';
import type {
  ConformanceReport,
  FoundAuth,
  PluginModel,
  PluginView,
} from '../../src/contract/schema/runner/plugin.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { OlderResult } from '../shell/problems/OlderResult.tsx';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';

interface AnsweredCheck<Answer> {
  answer: Answer;
  of: string;
}

const TONES = { passed: 'good', failed: 'bad', skipped: '' } as const;

export function PluginChecks(props: { plugin: PluginView; onChange: () => void }) {
  const { run } = useDashboard();
  const [busy, setBusy] = createSignal('');
  /** Results with the settings that they are for. */
  const [conformanceCheck, setConformanceCheck] =
    createSignal<AnsweredCheck<ConformanceReport> | null>(null);
  const [modelsCheck, setModelsCheck] = createSignal<AnsweredCheck<readonly PluginModel[]> | null>(
    null,
  );
  const stamp = () => JSON.stringify([props.plugin.version, props.plugin.settings]);
  const report = () => conformanceCheck()?.answer ?? null;
  const models = () => modelsCheck()?.answer ?? null;
  const [auth, setAuth] = createSignal<readonly FoundAuth[] | null>(null);
  const ask = async (what: string, says: string, send: Parameters<typeof run>[1]) => {
    setBusy(what);
    await run(says, send);
    setBusy('');
    props.onChange();
  };
  const id = () => props.plugin.id;
  const hasKeys = () =>
    Object.values(props.plugin.settings).some(({ secret, env }) => secret && env !== undefined);
  return (
    <section class="section" aria-labelledby="plugin-checks">
      <h2 id="plugin-checks">Checks</h2>
      <div class="row plugin-acts">
        <button
          type="button"
          disabled={busy() !== ''}
          onClick={() => ask('health', 'The plugin was checked', (to) => to.checkPlugin(id()))}
        >
          <Icon name="check" /> Check its health
        </button>
        <button
          type="button"
          disabled={busy() !== ''}
          onClick={() =>
            ask('test', 'The plugin was tested', async (to) => {
              const of = stamp();
              setConformanceCheck({ answer: await to.testPlugin(id()), of });
            })
          }
        >
          <Icon name="play" /> {busy() === 'test' ? 'Testing …' : 'Test it'}
        </button>
        <Show when={props.plugin.offers.includes('models')}>
          <button
            type="button"
            disabled={busy() !== ''}
            onClick={() =>
              ask('models', 'The models were read', async (to) => {
                const of = stamp();
                setModelsCheck({ answer: await to.pluginModels(id()), of });
              })
            }
          >
            Models
          </button>
        </Show>
        <Show when={hasKeys()}>
          <button
            type="button"
            disabled={busy() !== ''}
            onClick={() =>
              ask('auth', 'Environment searched', async (to) =>
                setAuth(await to.detectPluginAuth(id())),
              )
            }
          >
            Find keys in the environment
          </button>
        </Show>
      </div>
      <Show when={auth()}>
        {(variables) => (
          <div class="notice stack">
            <Show
              when={variables().length > 0}
              fallback={<p>The runner's environment has no keys for this plugin.</p>}
            >
              <p>
                Found in the runner's environment:{' '}
                <For each={variables()}>
                  {({ setting, env }) => (
                    <span class="pill literal">
                      {env} for {setting}
                    </span>
                  )}
                </For>
              </p>
              <button
                type="button"
                onClick={async () => {
                  await ask('apply', 'The keys are stored', (to) => to.applyPluginAuth(id()));
                  setAuth(null);
                }}
              >
                Write {variables().length === 1 ? 'it' : 'them'} into the configuration
              </button>
            </Show>
          </div>
        )}
      </Show>
      <Show when={models()}>
        {(list) => (
          <OlderResult isOld={modelsCheck()?.of !== stamp()} of="earlier settings. Refresh">
            <ul class="plugin-models" aria-label="Models">
              <For each={list()} fallback={<li class="muted">It lists none.</li>}>
                {(model) => (
                  <li>
                    <code>{revealTurningCharacters(model.id)}</code>{' '}
                    {revealTurningCharacters(model.title)}
                  </li>
                )}
              </For>
            </ul>
          </OlderResult>
        )}
      </Show>
      <Show when={report()}>
        {(testReport) => (
          <OlderResult
            isOld={conformanceCheck()?.of !== stamp()}
            of="earlier settings. Run the test again"
          >
            <div class="stack">
              <p>
                <span class={`pill ${testReport().passed ? 'good' : 'bad'}`}>
                  {testReport().passed ? 'Passes the contract test' : 'Violates the contract'}
                </span>
              </p>
              <ul class="plain plugin-cases" aria-label="Test cases">
                <For each={testReport().cases}>
                  {(one) => (
                    <li>
                      <span class={`pill ${TONES[one.outcome]}`}>{one.outcome}</span>
                      <span class="grow">
                        {revealTurningCharacters(one.promise)}
                        <Show when={one.detail}>
                          <small> {revealTurningCharacters(one.detail)}</small>
                        </Show>
                      </span>
                    </li>
                  )}
                </For>
              </ul>
            </div>
          </OlderResult>
        )}
      </Show>
    </section>
  );
}
