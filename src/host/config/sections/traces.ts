import Type from 'typebox';
import { HandedSecret, markSecret, section, word } from './fieldSchemas.ts';

/** Names of headers, as HTTP has them. */
const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$";

export const Traces = Type.Object(
  {
    endpoint: Type.String({
      pattern: '^(https?://\\S+)?$',
      maxLength: 4_096,
      default: '',
      ...markSecret('url'),
      title: 'an address that begins with https:// or http:// in double quotes, or ""',
      examples: ['http://localhost:4318'],
      description:
        'Where spans are sent: the address of a collector that speaks OTLP over HTTP. /v1/traces is appended unless the path ends with it. Empty, the default: traces are off.',
    }),
    headers: Type.Record(
      Type.String({ pattern: HEADER_NAME }),
      HandedSecret('A header, such as a login.'),
      { default: {}, maxProperties: 50, description: 'Headers of every request.' },
    ),
    headersVariable: Type.String({
      pattern: '^([A-Za-z_][A-Za-z0-9_]{0,127})?$',
      default: '',
      title: 'the name of a variable in double quotes, or ""',
      examples: ['OTEL_EXPORTER_OTLP_HEADERS'],
      description:
        "Name of a variable of the runner's environment with more headers: name=value, separated by commas, values percent-encoded. They replace those with the same name.",
    }),
    serviceName: Type.String({
      ...word,
      default: 'svc',
      description: 'The service that the spans belong to (service.name).',
    }),
    link: Type.String({
      pattern: '^(https?://\\S*\\{traceId\\}\\S*)?$',
      maxLength: 4_096,
      default: '',
      title: 'an address with {traceId} in double quotes, or ""',
      examples: ['https://jaeger.example/trace/{traceId}'],
      description:
        'Address at which people see a trace, with {traceId} where its id belongs. Jobs then link it.',
    }),
  },
  {
    ...section,
    title: 'Traces',
    description: 'OpenTelemetry traces of jobs, sent to a collector.',
  },
);
