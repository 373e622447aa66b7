import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { connect, type OutgoingHttpHeaders } from 'node:http2'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { emptyFolder } from './folder.ts'

/** The name in the committed files of proxies. */
export const SITE = 'data.example.org'

/** A proxy that terminates TLS: the addresses of its two listeners. */
export interface TlsEdge {
  readonly plain: string
  readonly secure: string
}

/** Paths of a certificate for {@link SITE} and of its key. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** Makes a certificate that signs itself. */
export async function makeCertificate(t: TestContext): Promise<Certificate> {
  const folder = await emptyFolder(t)
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ')
  const names = ['-subj', `/CN=${SITE}`, '-addext', `subjectAltName=DNS:${SITE}`]
  await promisify(execFile)('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate])
  return { certificate, key }
}

/** Asks over one connection with HTTP/2 from this address, which closes with the test. */
export async function tlsClient(
  t: TestContext,
  { secure }: TlsEdge,
  { certificate }: Certificate,
  localAddress = '127.0.0.1',
) {
  const ca = await readFile(certificate)
  // The types of connect leave out the options of the socket.
  const options = { ca, servername: SITE, localAddress }
  const session = connect(secure, options)
  t.after(() => session.destroy())
  const open = async (path: string, headers: OutgoingHttpHeaders = {}) => {
    const stream = session.request({ ':path': path, ':authority': SITE, ...headers })
    const answer = await new Promise<OutgoingHttpHeaders>((resolve, reject) => {
      stream.once('response', resolve)
      stream.once('error', reject)
      session.once('error', reject)
    })
    return { stream, status: Number(answer[':status']), headers: answer }
  }
  return {
    protocol: () => session.alpnProtocol,
    open,
    async get(path: string, headers: OutgoingHttpHeaders = {}) {
      const { stream, ...answer } = await open(path, headers)
      return { ...answer, body: (await buffer(stream)).toString() }
    },
  }
}
