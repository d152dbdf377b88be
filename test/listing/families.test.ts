/** Variants of each family beyond the corpus. */
import { describe, expect, it } from 'vitest'
import { formatOfSystem, parseListing, type Entry } from '../../src/listing/index.ts'

const NOW = new Date('2024-06-15T12:00:00Z')

function only(input: string): Entry {
  const { entries, unparsed } = parseListing(input, { now: NOW })
  expect(unparsed).toEqual([])
  expect(entries).toHaveLength(1)
  const [entry] = entries
  if (entry === undefined) throw new Error(`no entry: ${input}`)
  return entry
}

const time = (entry: Entry): string | undefined => entry.modified?.toISOString().replace('.000Z', '')

describe('unix dates', () => {
  it.each([
    ['Mar  2 15:13', '2024-03-02T15:13:00', 'minute'],
    ['Mar 2 15:13', '2024-03-02T15:13:00', 'minute'],
    ['Dec 24 15:13', '2023-12-24T15:13:00', 'minute'],
    ['Mar  2  2001', '2001-03-02T00:00:00', 'day'],
    ['Mar  2 2001', '2001-03-02T00:00:00', 'day'],
    ['MAR 02 2001', '2001-03-02T00:00:00', 'day'],
    ['Mar 2, 2001', '2001-03-02T00:00:00', 'day'],
    ['March 2 2001', '2001-03-02T00:00:00', 'day'],
    ['Mar  2 15:13:14 2001', '2001-03-02T15:13:14', 'second'],
    ['02 Mar 15:13', '2024-03-02T15:13:00', 'minute'],
    ['2. Mär 2001', '2001-03-02T00:00:00', 'day'],
    ['Mär  2 15:13', '2024-03-02T15:13:00', 'minute'],
    ['Mai 15 12:01', '2024-05-15T12:01:00', 'minute'],
    ['Dez 15 2023', '2023-12-15T00:00:00', 'day'],
    ['15 févr. 2010', '2010-02-15T00:00:00', 'day'],
    ['déc. 15 2010', '2010-12-15T00:00:00', 'day'],
    ['15 août 12:00', '2023-08-15T12:00:00', 'minute'],
    ['ene  5 2011', '2011-01-05T00:00:00', 'day'],
    ['15 ago 2011', '2011-08-15T00:00:00', 'day'],
    ['Mag 15 2011', '2011-05-15T00:00:00', 'day'],
    ['15 mrt 2011', '2011-03-15T00:00:00', 'day'],
    ['15 paź 2011', '2011-10-15T00:00:00', 'day'],
    ['15 дек 2011', '2011-12-15T00:00:00', 'day'],
    ['15 жов 2011', '2011-10-15T00:00:00', 'day'],
    ['8月 17日 2011年', '2011-08-17T00:00:00', 'day'],
    ['8월 17 2011', '2011-08-17T00:00:00', 'day'],
    ['2011年 8月 17日', '2011-08-17T00:00:00', 'day'],
    ['12月 17 20:10', '2023-12-17T20:10:00', 'minute'],
    ['2005-04-08 11:22', '2005-04-08T11:22:00', 'minute'],
    ['2005-04-08 11:22:33', '2005-04-08T11:22:33', 'second'],
    ['2005-04-08 11:22:33.123456789 +0200', '2005-04-08T09:22:33', 'second'],
    ['2005/04/08 11:22', '2005-04-08T11:22:00', 'minute'],
    ['08.04.2005 11:22', '2005-04-08T11:22:00', 'minute'],
    ['04-08 11:22', '2024-04-08T11:22:00', 'minute'],
    ['04-08 2005', '2005-04-08T00:00:00', 'day'],
    ['2005-04-08 ', '2005-04-08T00:00:00', 'day'],
  ])('%s', (date, iso, precision) => {
    const entry = only(`-rw-r--r--   1 owner group  12345 ${date} a name`)
    expect([entry.name, entry.size, entry.owner, entry.group]).toEqual(['a name', 12_345, 'owner', 'group'])
    expect([time(entry), entry.modifiedPrecision]).toEqual([iso, precision])
  })

  it.each([
    'Nov 31 2018',
    'Feb 29 2023',
    'Feb 30 12:00',
    'May 32 2000',
    'May  0 2000',
    'Mar  2 24:00',
    'Mar 2 12:60',
    'Xyz  2 2001',
    '2023-02-29 11:22',
    '2023-13-01 11:22',
  ])('%s is unknown, and the rest is read', (date) => {
    const entry = only(`-rw-r--r--   1 owner group  12345 ${date} name`)
    expect([entry.name, entry.size, entry.modified, entry.modifiedPrecision]).toEqual([
      'name',
      12_345,
      undefined,
      undefined,
    ])
  })
})

describe('unix columns', () => {
  it.each([
    ['crw-rw-rw- 1 root root 8,   0 Mar  2 2001 n', 'other', undefined, 'root', 'root'],
    ['brw-rw---- 1 root disk 8, 0 Mar  2 2001 n', 'other', undefined, 'root', 'disk'],
    ['crw-rw---- 1 root disk 8,0 Mar  2 2001 n', 'other', undefined, 'root', 'disk'],
    ['crw------- 1 root wheel 0x1a000003 Mar  2 2001 n', 'other', undefined, 'root', 'wheel'],
    ['srwxrwxrwx 1 root root 0 Mar  2 2001 n', 'other', 0, 'root', 'root'],
    ['prw-r--r-- 1 root root 0 Mar  2 2001 n', 'other', 0, 'root', 'root'],
    ['-rw-r--r--. 1 root root 7 Mar  2 2001 n', 'file', 7, 'root', 'root'],
    ['-rw-r--r--@ 1 me staff 7 Mar  2 2001 n', 'file', 7, 'me', 'staff'],
    ['-rw-r--r-- 1 1000 1000 7 Mar  2 2001 n', 'file', 7, '1000', '1000'],
    ['-rw-r--r-- 1 me 7 Mar  2 2001 n', 'file', 7, 'me', undefined],
    ['-rw-r--r-- 1 jan 12 2048 Mar  2 2001 n', 'file', 2048, 'jan', '12'],
    ['-rw-r--r-- 1 may staff 2048 Mar  2 2001 n', 'file', 2048, 'may', 'staff'],
    [
      '-rw-r--r--   1 DOM\\me DOM\\Domain Users   2048 Mar  2 2001 n',
      'file',
      2048,
      'DOM\\me',
      'DOM\\Domain Users',
    ],
    ['drwxr-xr-x 2 me staff 4096 Mar  2 2001 n/', 'dir', 4096, 'me', 'staff'],
  ])('%s', (line, type, size, owner, group) => {
    const entry = only(line)
    expect([entry.name, entry.type, entry.size, entry.owner, entry.group]).toEqual([
      'n',
      type,
      size,
      owner,
      group,
    ])
  })

  it('a size beyond 2^53-1 stays text, and so does one of ls -h', () => {
    const entry = only('-rw-r--r-- 1 u g 9007199254740993 Mar  2 2001 n')
    expect([entry.size, entry.sizeText]).toEqual([undefined, '9007199254740993'])
    const human = only('-rw-r--r-- 1 u g 4.0K Mar  2 2001 n')
    expect([human.size, human.sizeText]).toEqual([undefined, '4.0K'])
  })

  it('removes one blank before a name, and takes an arrow for a target only in a link', () => {
    const file = '-rw-r--r-- 1 u g 1 Mar  2  2001'
    expect(only(`${file}  a  b `).name).toBe(' a  b ')
    expect(only(`${file} a -> b`).name).toBe('a -> b')
    const link = 'lrwxrwxrwx 1 u g 1 Mar  2  2001'
    const pairs = ['a -> b -> c', 'a -> ', '-> x', 'x -> /etc/passwd'].map((name) => {
      const entry = only(`${link} ${name}`)
      return [entry.name, entry.linkTarget, entry.type]
    })
    expect(pairs).toEqual([
      ['a', 'b -> c', 'link'],
      ['a', undefined, 'link'],
      ['-> x', undefined, 'link'],
      ['x', '/etc/passwd', 'link'],
    ])
  })

  it.each(['insgesamt 12', 'итого 4', '合計 8', '总用量 12', 'total 4.5M', 'Total: 5', '.:'])(
    '%s is noise',
    (line) => {
      expect(parseListing(line)).toEqual({ entries: [], unparsed: [] })
    },
  )
})

describe('mlsd', () => {
  it('reads facts in any case and order; the first of two equal ones counts', () => {
    const entry = only('SIZE=1;Type=file;size=2;UNIX.mode=04755;X.y=z; n')
    expect([entry.size, entry.type, entry.permissions]).toEqual([1, 'file', 'rwsr-xr-x'])
    expect({ ...entry.facts }).toEqual({ size: '1', type: 'file', 'unix.mode': '04755', 'x.y': 'z' })
    expect(Object.getPrototypeOf(entry.facts)).toBeNull()
  })

  it('keeps everything of the name behind one blank', () => {
    expect(only('type=file;  a; b=c;').name).toBe(' a; b=c;')
    expect(only('type=file;unix.group=domain users; n').facts?.['unix.group']).toBe('domain users')
  })

  it.each([
    ['type=OS.unix=slink:/a/b; n', 'link', '/a/b'],
    ['type=OS.UNIX=slink; n', 'link', undefined],
    ['type=OS.unix=symlink; n', 'link', undefined],
    ['type=OS.unix=symlink:x; n', 'link', 'x'],
    ['type=OS.unix=socket; n', 'other', undefined],
    ['type=OS.unix=fifo; n', 'other', undefined],
    ['type=OS.vms=x; n', 'other', undefined],
    ['perm=el; n', 'dir', undefined],
    ['perm=adfrw; n', 'file', undefined],
    ['sizd=4096; n', 'dir', undefined],
    ['size=5; n', 'file', undefined],
    ['modify=20240101000000; n', 'other', undefined],
    ['type=; n', 'other', undefined],
    // Deviations: no blank before the name, no `;` after the last fact.
    ['type=file;size=1;n', 'file', undefined],
    ['type=file;size=1 n', 'file', undefined],
    ['type=dir n', 'dir', undefined],
  ])('%s', (line, type, target) => {
    const entry = only(line)
    expect([entry.name, entry.type, entry.linkTarget]).toEqual(['n', type, target])
  })

  it('gives a link the target that another line tells', () => {
    const { entries } = parseListing(
      'type=OS.unix=symlink;unique=1; l\ntype=file;unique=2; x\ntype=file;unique=1; /t',
    )
    expect(entries.map(({ linkTarget }) => linkTarget)).toEqual(['/t', undefined, undefined])
  })
})

describe('dos', () => {
  it.each([
    ['05-20-97  03:31PM                  681 a b', 'file', 681, '1997-05-20T15:31:00'],
    ['05-20-1997  12:31AM       <DIR>          a b', 'dir', undefined, '1997-05-20T00:31:00'],
    ['05/20/2004  12:31p                  681 a b', 'file', 681, '2004-05-20T12:31:00'],
    ['2013-09-02  18:48       <DIR>          a b', 'dir', undefined, '2013-09-02T18:48:00'],
    ['02.09.2013  18:48                9.730 a b', 'file', 9730, '2013-09-02T18:48:00'],
    ['02.09.13  18:48:05                9730 a b', 'file', 9730, '2013-09-02T18:48:05'],
    ['12-25-10  12:00PM            1,234,567 a b', 'file', 1_234_567, '2010-12-25T12:00:00'],
    ['13-25-10  12:00PM                    1 a b', 'file', 1, undefined],
    ['12-25-10  13:00PM                    1 a b', 'file', 1, undefined],
    ['02-29-23  12:00                      1 a b', 'file', 1, undefined],
  ])('%s', (line, type, size, iso) => {
    const entry = only(line)
    expect([entry.name, entry.type, entry.size, time(entry)]).toEqual(['a b', type, size, iso])
  })

  it('reads junctions and links with their targets', () => {
    const entry = only('05-20-97  03:31PM    <JUNCTION>     link [C:\\target]')
    expect([entry.name, entry.type, entry.linkTarget]).toEqual(['link', 'link', 'C:\\target'])
    expect(only('05-20-97  03:31PM    <SYMLINKD>     x').linkTarget).toBeUndefined()
  })
})

describe('other families', () => {
  it.each([
    ['+i8388621.29609,m824255902,/,\tdev', 'dev', 'dir', undefined, '1996-02-13T23:58:22'],
    [
      'A.TXT;1  12/15  2-JUN-1998 07:32:04.55  [1,4]  (RWED,RWED,RE,)',
      'A.TXT',
      'file',
      6144,
      '1998-06-02T07:32:04',
    ],
    ['SUB.DIR;1 1 31-JUN-1998 07:32 [SYSTEM] (RWE,,,)', 'SUB', 'dir', undefined, undefined],
    ['QSYS   36864 2024-03-24 14:06:34 *DIR   dir1/', 'dir1', 'dir', 36_864, '2024-03-24T14:06:34'],
    ['QSYS   36864 24.03.24 14.06.34 *STMF   a b', 'a b', 'file', 36_864, '2024-03-24T14:06:34'],
    ['QSYS   36864 04/03/05 14:06:34 *STMF   a b', 'a b', 'file', 36_864, undefined],
    ['QSYS   *MEM   A.FILE/A.MBR', 'A.FILE/A.MBR', 'file', undefined, undefined],
    [
      'SYSPP1 3390   2000/01/14  1   90  FB      80 27920  PO-E  SMPEJCL.DATA',
      'SMPEJCL.DATA',
      'dir',
      undefined,
      '2000-01-14T00:00:00',
    ],
    [
      'PROFILE  EXEC     F         72        120          3 2008-05-06 07:08:09 -',
      'PROFILE.EXEC',
      'file',
      8640,
      '2008-05-06T07:08:09',
    ],
    [
      'd [RWCEAFMS] John Doe                       512 Nov 24  2005   a b',
      'a b',
      'dir',
      512,
      '2005-11-24T00:00:00',
    ],
    ['FILE1 O 101L 528 12-Jan-14 14:21:18 255, 0 "rwep"', 'FILE1', 'file', 528, '2014-01-12T14:21:18'],
    ['  512    JAN-01-1980  00:00:00   A B             <DIR>', 'A B', 'dir', 512, '1980-01-01T00:00:00'],
    ['36611      A    04-23-103   10:57  a b', 'a b', 'file', 36_611, '2003-04-23T10:57:00'],
    [
      'MEMBER  01.01 2004/06/22 2004/06/23 16:32   128   128    0 USERNO',
      'MEMBER',
      'file',
      undefined,
      '2004-06-23T16:32:00',
    ],
    ['TSO004 3390   VSAM A.B', 'A.B', 'file', undefined, undefined],
    ['ARCIVE Not Direct Access Device   A.B', 'A.B', 'file', undefined, undefined],
    ['Migrated                          A.B', 'A.B', 'file', undefined, undefined],
    ['NRP004 3390   **NONE**    1   15  NONE     0     0  PO  A.B', 'A.B', 'dir', undefined, undefined],
    ['TSO005 3390   2005/06/06 213000 U 0 27998 PO A.B', 'A.B', 'dir', undefined, '2005-06-06T00:00:00'],
    ['  0           DIR   12-30-97   12:32  a b', 'a b', 'dir', 0, '1997-12-30T12:32:00'],
  ])('%s', (line, name, type, size, iso) => {
    const entry = only(line)
    expect([entry.name, entry.type, entry.size, time(entry)]).toEqual([name, type, size, iso])
  })

  it('VMS: a long name stands before its line; what has none is unparsed', () => {
    const { entries, unparsed } = parseListing(
      'LOST.TXT;1\nLONG_NAME.TXT;12\n      4/15  24-FEB-2003 13:17:24  [A,B]  (RWED,,,)\nLAST.TXT;2',
    )
    expect(entries.map(({ name, owner, group }) => [name, owner, group])).toEqual([
      ['LONG_NAME.TXT', 'B', 'A'],
    ])
    expect(unparsed).toEqual(['LOST.TXT;1', 'LAST.TXT;2'])
  })

  it('z/OS: spool files of a job', () => {
    const { entries } = parseListing(
      '         ID  STEPNAME PROCSTEP C DDNAME   BYTE-COUNT\n         002 JES2              A JESMSGLG      1200\n1 spool files',
    )
    expect(entries.map(({ name, size }) => [name, size])).toEqual([['002', 1200]])
  })
})

describe('formatOfSystem', () => {
  it.each([
    ['UNIX Type: L8', 'unix'],
    ['Windows_NT', 'dos'],
    ['VMS OpenVMS V8.4', 'vms'],
    ['OS/400 is the remote operating system.', 'os400'],
    ['MVS is the operating system of this server.', 'mvs'],
    ['z/VM Version 6', 'zvm'],
    ['NETWARE Type: L8', 'netware'],
    ['NONSTOP', 'nonstop'],
    ['VxWorks Version 5.4', 'vxworks'],
    ['whatever', undefined],
  ])('%s', (text, format) => {
    expect(formatOfSystem(text)).toBe(format)
  })
})
