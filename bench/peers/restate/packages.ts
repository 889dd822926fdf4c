import type { RequestListener } from 'node:http';

/** As much of Restate's SDK as the drivers use. */
export interface RestateSdk {
  service(definition: ServiceDefinition): unknown;
  createEndpointHandler(options: { services: unknown[]; logger: () => void }): RequestListener;
}

interface ServiceDefinition {
  name: string;
  handlers: Record<string, (context: Context, input: string) => Promise<unknown>>;
  /** Timeouts in ms. */
  options?: { inactivityTimeout?: number };
}

interface Context {
  run(name: string, step: () => unknown): Promise<unknown>;
  awakeable(): { id: string; promise: Promise<unknown> };
}

/** As much of its client as the drivers use. */
export interface RestateClients {
  connect(options: { url: string }): Ingress;
}

export interface Ingress {
  serviceClient(service: { name: string }): Client;
  serviceSendClient(service: { name: string }): Client;
  resolveAwakeable(id: string, payload: string): Promise<void>;
}

type Client = Readonly<Record<Handler, (input: string) => Promise<unknown>>>;
type Handler = 'workflow' | 'wait';

export const SERVICE = 'bench';

export const ingressUrl = (ports: Readonly<Record<string, number>>): string =>
  `http://127.0.0.1:${ports['ingress']}`;
