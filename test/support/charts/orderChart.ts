import { assign, setup } from 'xstate';
import type { DurableChart, IntrinsicParams } from '../../../src/kernel/chart.ts';

export interface OrderContext {
  id: string;
  price: number;
  paid: number;
  items: string[];
  paidAt: number | null;
  note: string;
}

export type OrderEvent = { at: number } & (
  | { type: 'add'; item: string }
  | { type: 'pay'; amount: number }
  | { type: 'ship' }
  | { type: 'shipped'; parcel: string }
  | { type: 'shipping.failed'; why: string; attempts: number; error: string }
  | { type: 'remind'; afterMs: number }
  | { type: 'forget' }
  | { type: 'reminder' }
  | { type: 'split'; into: string }
  | { type: 'tell'; to: string }
  | { type: 'told'; by: string }
  | { type: 'break' }
  | { type: 'grow'; bytes: number }
  | { type: 'odd' }
  | { type: 'close' }
);

/** A note of an order, which another order may send it. */
export const createNote = (by: string) => ({ type: 'told' as const, by });

const orders = setup({
  types: {
    context: {} as OrderContext,
    events: {} as OrderEvent,
    input: {} as { id: string; price: number },
    tags: {} as 'open' | 'moving',
  },
  guards: {
    coversPrice: ({ context, event }) =>
      event.type === 'pay' && context.paid + event.amount >= context.price,
    hasItems: ({ context }) => context.items.length > 0,
    isSmall: ({ context }) => context.items.length < 3,
  },
  actions: {
    'timer.set': (_, _params: IntrinsicParams['timer.set']) => {},
    'timer.cancel': (_, _params: IntrinsicParams['timer.cancel']) => {},
    'actor.start': (_, _params: IntrinsicParams['actor.start']) => {},
    'actor.send': (_, _params: IntrinsicParams['actor.send']) => {},
    'row.put': (_, _params: IntrinsicParams['row.put']) => {},
    'frame.add': (_, _params: IntrinsicParams['frame.add']) => {},
    'parcel.send': (_, _params: { items: string[] }) => {},
    'nobody.knows': () => {},
  },
});

/** A toy: an order that is filled, paid, routed and shipped, with every kind of effect. */
export const orderMachine = orders.createMachine({
  id: 'order',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...input, paid: 0, items: [], paidAt: null, note: '' }),
  initial: 'filling',
  on: {
    told: { actions: assign({ note: ({ event }) => `told by ${event.by}` }) },
    break: {
      actions: assign(() => {
        throw new Error('the till is broken');
      }),
    },
    grow: { actions: assign({ note: ({ event }) => 'x'.repeat(event.bytes) }) },
    odd: { actions: 'nobody.knows' },
    split: {
      actions: {
        type: 'actor.start',
        params: ({ event }) => ({
          chart: 'order',
          id: event.into,
          input: { id: event.into, price: 1 },
        }),
      },
    },
    tell: {
      actions: {
        type: 'actor.send',
        params: ({ event, context }) => ({ to: event.to, event: { type: 'told', by: context.id } }),
      },
    },
    remind: {
      actions: {
        type: 'timer.set',
        params: ({ event }) => ({
          name: 'reminder',
          due: event.at + event.afterMs,
          event: { type: 'reminder' },
        }),
      },
    },
    forget: { actions: { type: 'timer.cancel', params: { name: 'reminder' } } },
    reminder: {
      actions: { type: 'frame.add', params: { kind: 'log', data: { line: 'reminded' } } },
    },
    close: '.closed',
  },
  states: {
    filling: {
      tags: 'open',
      meta: { waits: 'the customer to fill the basket and to pay' },
      on: {
        add: {
          guard: 'isSmall',
          actions: [
            assign({ items: ({ context, event }) => [...context.items, event.item] }),
            {
              type: 'row.put',
              params: ({ context, event }) => ({
                table: 'insights',
                row: {
                  job_id: context.id,
                  id: event.item,
                  at: event.at,
                  phase: 'filling',
                  category: 'item',
                  text: event.item,
                },
              }),
            },
            {
              type: 'frame.add',
              params: ({ event }) => ({ kind: 'log', data: { line: `added ${event.item}` } }),
            },
          ],
        },
        pay: {
          guard: 'coversPrice',
          target: 'routing',
          actions: assign({
            paid: ({ context, event }) => context.paid + event.amount,
            paidAt: ({ event }) => event.at,
          }),
        },
      },
    },
    routing: { always: [{ guard: 'hasItems', target: 'packed.waiting' }, { target: 'closed' }] },
    packed: {
      tags: 'moving',
      meta: { waits: 'the carrier' },
      initial: 'waiting',
      states: {
        waiting: {
          meta: { waits: ['a person to press ship'] },
          on: { ship: { target: 'shipping', guard: 'hasItems' } },
        },
        shipping: {
          entry: { type: 'parcel.send', params: ({ context }) => ({ items: context.items }) },
          on: {
            shipped: {
              target: '#order.closed',
              actions: assign({ note: ({ event }) => event.parcel }),
            },
            'shipping.failed': {
              target: 'waiting',
              actions: assign({ note: ({ event }) => `${event.why}: ${event.error}` }),
            },
          },
        },
      },
    },
    closed: { type: 'final' },
  },
});

export const orderChart: DurableChart = {
  id: 'order',
  version: 1,
  machine: orderMachine,
  senders: {
    add: 'the customer',
    pay: 'the customer',
    ship: 'a clerk',
    shipped: 'the carrier',
    'shipping.failed': 'the kernel',
    remind: 'a clerk',
    forget: 'a clerk',
    reminder: 'a timer',
    split: 'a clerk',
    tell: 'a clerk',
    told: 'another order',
    break: 'a test',
    grow: 'a test',
    odd: 'a test',
    close: 'a clerk',
  },
  guards: {
    coversPrice: { readsEvent: true, says: 'the amount covers the price' },
    hasItems: { readsEvent: false, says: 'there is something in the basket' },
    isSmall: { readsEvent: false, says: 'the basket has room' },
  },
  index: ({ value, tags, status }) => ({
    label: typeof value === 'string' ? value : `packed:${Object.values(value).join()}`,
    kind: 'toy',
    parent: null,
    slot: tags.includes('moving'),
    waitingSince: null,
    activity: status === 'done' ? 'ended' : 'live',
  }),
  frames: (before, after) =>
    JSON.stringify(before?.value) === JSON.stringify(after.value)
      ? []
      : [{ kind: 'state', data: { state: after.value } }],
  createGivenUpEvent: ({ why, attempts, error, code }) => ({
    type: 'shipping.failed',
    why,
    attempts,
    error,
    ...(code === undefined ? {} : { code }),
  }),
  migrations: {},
};
