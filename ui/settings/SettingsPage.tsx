import { createMemo, createSignal, For, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { ClientError } from '../../src/api/client/problem.ts';
import { createForm, type FormError } from '../form/createForm.ts';
import { buildFormField, type FormField, type FormSchema } from '../form/formSchema.ts';
import { RefusedSave } from '../form/RefusedSave.tsx';
import { SchemaForm } from '../form/SchemaForm.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { listSettingsChanges, type SettingsChange } from './listSettingsChanges.ts';
import {
  toConfigKey,
  fieldMatches,
  countMatchingFields,
  keyNeedsRestart,
  describeValueOrigin,
  listSettingsSections,
} from './settingsFields.ts';
import { HeadButton } from '../shell/controls/HeadButton.tsx';
import './settings.css';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';

function SaveSettings(props: {
  changes: readonly SettingsChange[];
  live: readonly string[];
  file: string;
  close: () => void;
  save: () => Promise<boolean>;
}) {
  return (
    <AskDialog title="Save these changes?" says="Save" close={props.close} send={props.save}>
      <p class="muted">
        In <bdi>{props.file}</bdi>. The rest of the file is preserved.
      </p>
      <dl class="settings-changes">
        <For each={props.changes}>
          {({ key, before, after }) => (
            <>
              <dt>
                <code>{key}</code>
                <Show when={keyNeedsRestart(key, props.live)}>
                  <span class="pill needs-you">restart</span>
                </Show>
              </dt>
              <dd>
                <del>{revealTurningCharacters(before)}</del> →{' '}
                <ins>{revealTurningCharacters(after)}</ins>
              </dd>
            </>
          )}
        </For>
      </dl>
    </AskDialog>
  );
}

/** The configuration as forms, with changes shown before a save. Secrets never come out. */
export function SettingsPage(props: { section: string | null }) {
  const { client, run } = useDashboard();
  const form = createForm({});
  const [errors, setErrors] = createSignal<readonly FormError[]>([]);
  const [saveProblem, setSaveProblem] = createSignal<unknown>(null);
  const [search, setSearch] = createSignal('');
  const [saves, setSaves] = createSignal(false);
  const [latest, setLatest] = createSignal<Awaited<ReturnType<typeof client.config>> | null>(null);
  const [described] = createReading(() => client.configSchema());
  const take = (read: Awaited<ReturnType<typeof client.config>>) => {
    form.reset(read.reply.config);
    setErrors([]);
    setSaveProblem(null);
    setLatest(read);
    return true;
  };
  const [reading, { refetch }] = createReading(async () => take(await client.config()));
  const again = () => void refetch();
  const schema = () => described.latest?.schema as FormSchema | undefined;
  const live = () => described.latest?.live ?? [];
  const sections = createMemo(() => listSettingsSections(schema() ?? {}));
  const root = createMemo(() => buildFormField(schema() ?? {}, []));
  const values = createMemo(
    () => new Map((latest()?.reply.values ?? []).map((value) => [value.key, value])),
  );
  const listMatchingSections = () =>
    sections().filter((one) => countMatchingFields(one, search()) > 0);
  const open = () =>
    listMatchingSections().find(({ key }) => key === props.section) ??
    listMatchingSections()[0] ??
    sections()[0];
  const patch = () => form.patch();
  const save = () =>
    run(
      'The settings are saved',
      async (to) => {
        take(await to.updateConfig(Object(patch()), latest()?.etag));
      },
      undefined,
      (error) => {
        setErrors(error instanceof ClientError ? (error.problem.errors ?? []) : []);
        setSaveProblem(error);
        setSaves(false);
      },
    );
  const beside = (field: FormField) => {
    const origin = () => describeValueOrigin(values().get(toConfigKey(field.path)));
    return (
      <span class="settings-beside">
        <Show when={origin()}>
          {(one) => (
            <span class="pill" title={one().from}>
              {one().says}
            </span>
          )}
        </Show>
        <Show when={keyNeedsRestart(toConfigKey(field.path), live())}>
          <span class="pill" title="Changes take effect after a restart of the runner.">
            restart
          </span>
        </Show>
        <code class="muted">{toConfigKey(field.path)}</code>
      </span>
    );
  };
  return (
    <div class="page settings-page">
      <div class="page-head">
        <h1>Settings</h1>
        <input
          type="search"
          aria-label="Search settings"
          placeholder="Search"
          value={search()}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <HeadButton says="Refresh" icon="redo" disabled={reading.loading} onClick={again} />
      </div>
      <Show
        when={!(reading.error ?? described.error)}
        fallback={<Problem error={reading.error ?? described.error} retry={again} />}
      >
        <Show when={latest() && schema()} fallback={<p class="muted">Loading …</p>}>
          <For each={latest()?.reply.warnings}>{(says) => <p class="notice-line">{says}</p>}</For>
          <Show when={(latest()?.reply.restart.length ?? 0) > 0}>
            <p class="notice-line">
              Takes effect after a restart of the runner:{' '}
              <For each={latest()?.reply.restart}>{(key) => <code>{key} </code>}</For>
            </p>
          </Show>
          <div class="settings-columns">
            <nav aria-label="Sections of the settings">
              <Show when={listMatchingSections().length === 0}>
                <p class="muted">No matching settings.</p>
              </Show>
              <For each={[...new Set(listMatchingSections().map(({ group }) => group))]}>
                {(group) => (
                  <section aria-label={group}>
                    <h2>{group}</h2>
                    <ul class="plain">
                      <For each={listMatchingSections().filter((one) => one.group === group)}>
                        {(section) => (
                          <li>
                            <a
                              href={toRouteHash(['settings', section.key])}
                              aria-current={section.key === open()?.key ? 'page' : undefined}
                            >
                              {section.title}
                              <Show when={form.isChanged([section.key])}>
                                <span class="pill needs-you">changed</span>
                              </Show>
                            </a>
                          </li>
                        )}
                      </For>
                    </ul>
                  </section>
                )}
              </For>
            </nav>
            <form
              class="stack"
              onSubmit={(event) => {
                event.preventDefault();
                if (patch() !== undefined && !form.isWrong()) setSaves(true);
              }}
            >
              <Show when={open()} keyed>
                {(section) => (
                  <section class="stack" aria-labelledby="settings-section">
                    <h2 id="settings-section">{section.title}</h2>
                    <SchemaForm
                      field={section.field}
                      form={form}
                      errors={errors()}
                      beside={beside}
                      isShown={(field) => fieldMatches(field, search())}
                    />
                  </section>
                )}
              </Show>
              <RefusedSave error={saveProblem()} reload={again} />
              <div class="row settings-save">
                <button
                  type="submit"
                  class="primary"
                  disabled={patch() === undefined || form.isWrong()}
                >
                  Review and save …
                </button>
                <Show when={patch() !== undefined || form.isWrong()}>
                  <button type="button" onClick={again}>
                    Discard changes
                  </button>
                </Show>
                <small class="muted">
                  <bdi>{latest()?.reply.file}</bdi>
                </small>
              </div>
            </form>
          </div>
        </Show>
      </Show>
      <Show when={saves()}>
        <SaveSettings
          changes={listSettingsChanges(patch(), latest()?.reply.config, root())}
          live={live()}
          file={latest()?.reply.file ?? ''}
          close={() => setSaves(false)}
          save={save}
        />
      </Show>
    </div>
  );
}
