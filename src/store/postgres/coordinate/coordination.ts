import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Coordination, LeaseStatus, Message, Topic } from '../../coordination.ts'
import type { Registry } from '../../registry/tables.ts'
import type { Target } from '../connect/address.ts'
import { writing } from '../registry.ts'
import { type ListenConnection, openListenConnection } from './listen-connection.ts'

/** A coordination that can be closed. */
export interface OpenCoordination extends Coordination {
  close(): void
}

/**
 * Coordinates the instances that share a schema. Notifications use one dedicated LISTEN connection, opened for the
 * first subscriber; all else uses the primary, as standbys lag. A lease is a row with its holder and expiry by the
 * server's clock, so it needs no session and also expires for a stopped or cut-off instance.
 */
export function openCoordination(target: Target, registry: Registry): OpenCoordination {
  const holder = randomUUID()
  const { schema } = target
  const leases = sql.id(schema, 'leases')
  const channel = channelOf(schema)
  const listeners = new Set<(about: Topic) => void>()
  let listening: ListenConnection | undefined

  const notify = (about: Topic) => {
    for (const listener of listeners) listener(about)
  }

  /** Runs a statement in a transaction that may write, which a standby refuses: it might lag. */
  async function only<Row>(statement: RawBuilder<Row>): Promise<Row | undefined> {
    const { rows } = await writing(registry).execute(transaction => statement.execute(transaction))
    return rows[0]
  }

  async function standing(statement: RawBuilder<LeaseStatus>): Promise<LeaseStatus> {
    return (await only(statement)) ?? { leading: false, led: false, number: 0 }
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      listening ??= openListenConnection(target, {
        channel,
        onMessage: message => notify(message === 'releases' ? 'releases' : 'live'),
        onConnected() {
          notify('releases')
          notify('live')
        },
      })
      return () => void listeners.delete(listener)
    },
    isConnected: () => listening?.isConnected() === true,
    leaseStatus: lease =>
      standing(sql`
        select holder = ${holder} and until > clock_timestamp() as leading, until > clock_timestamp() as led, number
        from ${leases} where name = ${lease}`),
    acquireLease: (lease, forMs) =>
      standing(sql`
        with taken as (
          update ${leases}
          set holder = ${holder}, until = clock_timestamp() + ${forMs}::float8 * interval '1 millisecond'
          where name = ${lease} and (holder = ${holder} or until <= clock_timestamp())
          returning 1 as one
        )
        select
          exists (select one from taken) as leading,
          until > clock_timestamp() or exists (select one from taken) as led,
          number
        from ${leases} where name = ${lease}`),
    async releaseLease(lease) {
      await only(sql`
        update ${leases} set holder = null, until = '-infinity'
        where name = ${lease} and holder = ${holder}
        returning pg_notify(${channel}, 'live')`)
    },
    async publish(text) {
      const published = await only(sql<{ number: number }>`
        update ${leases} set message = ${text}, published_at = clock_timestamp(), number = number + 1
        where name = 'feed' and holder = ${holder} and until > clock_timestamp()
        returning number, pg_notify(${channel}, 'live')`)
      return published?.number
    },
    latestMessage: () =>
      only(sql<Message>`
        select message as text, number, extract(epoch from clock_timestamp() - published_at)::float8 * 1000 as "ageMs"
        from ${leases} where name = 'feed' and message is not null`),
    close() {
      listeners.clear()
      listening?.close()
    },
  }
}

/** The channel on which the instances of a schema are notified. */
const channelOf = (schema: string): string => `pds_${schema}`

/** Notifies all instances once the transaction is committed. */
export async function notify(transaction: Registry, schema: string, about: Topic): Promise<void> {
  await sql`select pg_notify(${channelOf(schema)}, ${about})`.execute(transaction)
}
