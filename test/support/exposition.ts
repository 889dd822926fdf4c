export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

export interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|(?=\}))/;
const VALUE = /^(?:NaN|[+-]Inf|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n' };

/**
 * Reads the text format (version 0.0.4) as strictly as it is described: families in one piece, help and
 * type before their samples, each sample once, histograms that add up. Throws with the line that is wrong.
 */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families = new Map<string, Family>();
  let open = '';
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, what, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (what === 'HELP') {
      if (families.has(name)) throw new Error(`${name} comes twice`);
      families.set(name, { type: '', help: rest, samples: [] });
      open = name;
    } else if (what === 'TYPE') {
      const family = families.get(name);
      if (name !== open || !family || family.type !== '') throw new Error(line);
      if (!/^(counter|gauge|histogram|summary)$/.test(rest)) throw new Error(line);
      family.type = rest;
    } else if (line.startsWith('#')) throw new Error(line);
    else {
      const sample = parseSample(line);
      const family = families.get(open);
      const ends = family?.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      if (!family?.type || !ends.some((end) => sample.name === open + end))
        throw new Error(`${line} is not of ${open}`);
      if (family.samples.some((one) => toSampleKey(one) === toSampleKey(sample)))
        throw new Error(`${line} comes twice`);
      family.samples.push(sample);
    }
  }
  for (const [name, family] of families)
    if (family.type === 'histogram') checkHistogram(name, family);
  return families;
}

const toSampleKey = ({ name, labels }: Sample): string =>
  `${name} ${JSON.stringify(Object.entries(labels).sort())}`;

function parseSample(line: string): Sample {
  const name = NAME.exec(line)?.[0];
  if (name === undefined) throw new Error(line);
  let rest = line.slice(name.length);
  const labels: Record<string, string> = {};
  if (rest.startsWith('{')) {
    rest = rest.slice(1);
    while (!rest.startsWith('}')) {
      const match = LABEL.exec(rest);
      const [whole = '', label = '', value = ''] = match ?? [];
      if (!match || label in labels) throw new Error(line);
      labels[label] = value.replaceAll(/\\(.)/g, (_, one: string) => ESCAPES[one] ?? one);
      rest = rest.slice(whole.length);
    }
    rest = rest.slice(1);
  }
  if (!rest.startsWith(' ') || !VALUE.test(rest.slice(1))) throw new Error(line);
  return { name, labels, value: Number(rest.slice(1).replace('Inf', 'Infinity')) };
}

function checkHistogram(name: string, { samples }: Family): void {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((one) => one.name.endsWith('_bucket'));
    const count = group.find((one) => one.name.endsWith('_count'))?.value;
    const limits = buckets.map(({ labels }) => Number(labels.le?.replace('Inf', 'Infinity')));
    const grows = (values: readonly number[], least: number) =>
      values.every((value, n) => n === 0 || value - (values[n - 1] ?? 0) >= least);
    if (
      limits.at(-1) !== Number.POSITIVE_INFINITY ||
      !grows(limits, Number.MIN_VALUE) ||
      !grows(
        buckets.map(({ value }) => value),
        0,
      ) ||
      buckets.at(-1)?.value !== count
    )
      throw new Error(`the buckets of ${name} ${key} do not add up`);
  }
}
