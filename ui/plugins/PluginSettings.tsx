import { createSignal, For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { ClientError } from '../../src/api/client/problem.ts';
import type { PluginView } from '../../src/contract/schema/runner/plugin.ts';
import { createForm, type FormError } from '../form/createForm.ts';
import { RefusedSave } from '../form/RefusedSave.tsx';
import { SchemaForm } from '../form/SchemaForm.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { pickPluginErrors, readPluginEntry, buildPluginForm } from './buildPluginForm.ts';

/** The settings of a plugin as a form that its manifest draws. Secrets go in and never come out. */
export function PluginSettings(props: { plugin: PluginView; onSave: () => void }) {
  const { client, run } = useDashboard();
  const id = props.plugin.id;
  // Once: fields that are drawn again lose what is being typed.
  const field = buildPluginForm(props.plugin);
  const form = createForm({});
  const [errors, setErrors] = createSignal<readonly FormError[]>([]);
  const [saveProblem, setSaveProblem] = createSignal<unknown>(null);
  const [restart, setRestart] = createSignal<readonly string[]>([]);
  const [busy, setBusy] = createSignal(false);
  let etag = '';
  const take = (read: Awaited<ReturnType<typeof client.config>>) => {
    etag = read.etag;
    form.reset(readPluginEntry(read.reply.config, id));
    setErrors([]);
    setSaveProblem(null);
    return true;
  };
  const [reading, { refetch }] = createReading(async () => take(await client.config()));
  const again = () => void refetch();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const patch = form.patch();
    if (patch === undefined || form.isWrong() || busy()) return;
    setBusy(true);
    await run(
      `The settings of ${id} are saved`,
      async (to) => {
        const configReply = await to.updateConfig(
          { plugins: { installed: { [id]: patch } } },
          etag,
        );
        take(configReply);
        const own = `plugins.installed.${id}.`;
        setRestart(configReply.reply.restart.filter((key) => key.startsWith(own)));
        props.onSave();
      },
      undefined,
      (error) => {
        const faults = error instanceof ClientError ? (error.problem.errors ?? []) : [];
        setErrors(pickPluginErrors(faults, id));
        setSaveProblem(error);
      },
    );
    setBusy(false);
  };
  return (
    <section class="section" aria-labelledby="plugin-settings">
      <h2 id="plugin-settings">Settings</h2>
      <ReadingView reading={reading} retry={again}>
        <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
          <form class="stack" onSubmit={save}>
            <SchemaForm
              field={field}
              form={form}
              errors={errors()}
              beside={({ path }) => <code class="muted">{path.at(-1)}</code>}
            />
            <RefusedSave error={saveProblem()} reload={again} />
            <Show when={restart().length > 0}>
              <p class="notice-line">
                Takes effect after a restart of the runner:{' '}
                <For each={restart()}>{(key) => <code>{key}</code>}</For>
              </p>
            </Show>
            <div class="row">
              <button
                type="submit"
                class="primary"
                disabled={form.patch() === undefined || form.isWrong() || busy()}
              >
                Save settings
              </button>
              <Show when={form.patch() !== undefined || form.isWrong()}>
                <button type="button" onClick={again}>
                  Discard changes
                </button>
              </Show>
            </div>
          </form>
        </Show>
      </ReadingView>
    </section>
  );
}
