import { crc32, deflateRawSync } from 'node:zlib'

/** A part of an archive: its name and its text. */
export type Part = readonly [name: string, text: string]

/** Writes a ZIP archive of these parts (APPNOTE 4.3), which may have equal names. */
export function zipped(parts: readonly Part[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let position = 0
  for (const [name, text] of parts) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content, { level: 9 })
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(content.length, 18)
    about.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(position, 10)
    directory.push(Buffer.from('PK\x01\x02'), Buffer.alloc(2), about, rest, Buffer.from(name))
    locals.push(local)
    position += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(position, 16)
  return Buffer.concat([...locals, entries, end])
}
