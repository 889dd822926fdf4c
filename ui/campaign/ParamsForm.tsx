import { toStringOrEmpty } from '../../src/base/json/untrusted.ts';
import { createSignal, Index, onMount, Show } from 'solid-js';
import type { Draft } from '../shell/drafts/drafts.ts';
import {
  toParamFields,
  guessParamField,
  buildParamsPatch,
  parseParamsPatch,
  type ParamField,
} from './paramsFields.ts';

interface KeptForm {
  /** Texts of the parameters that were changed, by name. */
  texts: Readonly<Record<string, string>>;
  newName: string;
  newText: string;
  /** The whole patch as JSON; null = the form is used. */
  raw: string | null;
}

const EMPTY: KeptForm = { texts: {}, newName: '', newText: '', raw: null };

/** A draft that was kept; one that cannot be read is as if nothing had been typed. */
function parseKeptForm(draft: string): KeptForm {
  try {
    const { texts, newName, newText, raw } = Object(JSON.parse(draft || '{}'));
    const knownTexts = Object.entries(Object(texts)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return {
      texts: Object.fromEntries(knownTexts),
      newName: toStringOrEmpty(newName),
      newText: toStringOrEmpty(newText),
      raw: typeof raw === 'string' ? raw : null,
    };
  } catch {
    return EMPTY;
  }
}

/** As a draft keeps it; empty where nothing was typed. */
const serializeKeptForm = (form: KeptForm): string =>
  Object.keys(form.texts).length === 0 &&
  form.newName === '' &&
  form.newText === '' &&
  form.raw === null
    ? ''
    : JSON.stringify(form);

export type ParsedPatch = ReturnType<typeof parseParamsPatch>;

/** The parameters of a sub-run as a form, or as JSON on demand. Reports changes as a patch. */
export function ParamsForm(props: {
  params: Readonly<Record<string, unknown>>;
  draft: Draft;
  onChange: (read: ParsedPatch) => void;
}) {
  const keptForm = parseKeptForm(props.draft.text());
  const original = toParamFields(props.params);
  const [fields, setFields] = createSignal<readonly ParamField[]>(
    original.map((field) => ({ ...field, text: keptForm.texts[field.name] ?? field.text })),
  );
  const [raw, setRaw] = createSignal<string | null>(keptForm.raw);
  const [newName, setNewName] = createSignal(keptForm.newName);
  const [newText, setNewText] = createSignal(keptForm.newText);
  const read = (): ParsedPatch => {
    const text = raw();
    if (text !== null) return parseParamsPatch(text);
    const paramFields =
      newName().trim() === '' && newText() === '' ? [] : [guessParamField(newName(), newText())];
    return buildParamsPatch(props.params, [...fields(), ...paramFields]);
  };
  const wrong = () => {
    const reading = read();
    return 'wrong' in reading ? reading.wrong : null;
  };
  const report = () => {
    const typedFields = fields().filter(({ text }, n) => text !== original[n]?.text);
    const texts = Object.fromEntries(typedFields.map(({ name, text }) => [name, text]));
    props.draft.write(
      serializeKeptForm({ texts, newName: newName(), newText: newText(), raw: raw() }),
    );
    props.onChange(read());
  };
  onMount(() => {
    if (props.draft.text() !== '') report();
  });
  const type = (n: number, text: string) => {
    setFields((now) => now.map((field, at) => (at === n ? { ...field, text } : field)));
    report();
  };
  const showRaw = (open: boolean) => {
    const reading = read();
    setRaw(open ? JSON.stringify('patch' in reading ? reading.patch : {}, null, 2) : null);
    report();
  };

  return (
    <fieldset class="params-form">
      <legend>Parameters</legend>
      <Show
        when={raw() === null}
        fallback={
          <label class="field">
            Parameters to change, as JSON
            <textarea
              class="mono"
              rows="4"
              spellcheck={false}
              value={raw() ?? ''}
              aria-invalid={wrong() !== null}
              onInput={({ currentTarget }) => {
                setRaw(currentTarget.value);
                report();
              }}
            />
          </label>
        }
      >
        <Index each={fields()}>
          {(field, n) => (
            <Show
              when={field().kind === 'yes-no'}
              fallback={
                <label class="field">
                  <bdi>{field().name}</bdi>
                  <input
                    type={field().kind === 'number' ? 'number' : 'text'}
                    step="any"
                    dir="auto"
                    class={field().kind === 'json' ? 'mono' : ''}
                    value={field().text}
                    onInput={({ currentTarget }) => type(n, currentTarget.value)}
                  />
                </label>
              }
            >
              <label class="check">
                <input
                  type="checkbox"
                  checked={field().text === 'true'}
                  onChange={({ currentTarget }) => type(n, String(currentTarget.checked))}
                />
                <bdi>{field().name}</bdi>
              </label>
            </Show>
          )}
        </Index>
        <div class="new-param">
          <label class="field">
            New parameter
            <input
              type="text"
              placeholder="name"
              value={newName()}
              onInput={({ currentTarget }) => {
                setNewName(currentTarget.value);
                report();
              }}
            />
          </label>
          <label class="field">
            Its value
            <input
              type="text"
              dir="auto"
              value={newText()}
              onInput={({ currentTarget }) => {
                setNewText(currentTarget.value);
                report();
              }}
            />
          </label>
        </div>
      </Show>
      <Show when={wrong()}>{(why) => <p class="chart-wrong">{why()}</p>}</Show>
      <label class="check">
        <input
          type="checkbox"
          checked={raw() !== null}
          onChange={({ currentTarget }) => showRaw(currentTarget.checked)}
        />
        Edit as JSON
      </label>
    </fieldset>
  );
}
