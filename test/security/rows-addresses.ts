/** Group C: where a passive reply wants the client to go. */
import { FINE, row, typed, type Doors, type Row } from './row.ts'
import type { Script } from '../support/scripted-server.ts'

/** PASV gets this; RETR is answered, and the data come through a door of their own. */
function redirected(reply: (doors: Doors) => string): (doors: Doors) => Script {
  return (doors) => [
    ...typed(),
    { expect: 'PASV' },
    { send: `${reply(doors)}\r\n` },
    { expect: 'RETR f' },
    { send: '150 ok\r\n226 done\r\n' },
  ]
}

function answered(reply: string): Script {
  return [...typed(), { expect: 'PASV' }, { send: `${reply}\r\n` }]
}

/** PASV is refused and EPSV gets this. */
function extended(reply: string): Script {
  return [
    ...typed(),
    { expect: 'PASV' },
    { send: '502 no\r\n' },
    { expect: 'EPSV' },
    { send: `${reply}\r\n` },
  ]
}

const NOWHERE = { dials: false }

export const ADDRESS_ROWS: readonly Row[] = [
  ...['10,0,0,5', '127,0,0,2', '169,254,169,254', '0,0,0,0', '255,255,255,255', '224,0,0,1', '192,0,2,7'].map(
    (address) =>
      row(
        'C01',
        `${address} is not dialled`,
        redirected(({ door }) => `227 (${address},${door})`),
        FINE,
      ),
  ),
  row('C04', 'port 0 in a 227', answered('227 (127,0,0,1,0,0)'), 'FTP_BAD_PASV', NOWHERE),
  row('C04', 'port 0 in a 229', extended('229 (|||0|)'), 'FTP_BAD_EPSV', NOWHERE),
  ...['0,22', '0,25', '0,80', '23,112'].map((port) =>
    row('C05', `the port ${port}`, answered(`227 (127,0,0,1,${port})`), 'FTP_DATA_PORT_FORBIDDEN', NOWHERE),
  ),
  row('C05', 'the port 6000', extended('229 (|||6000|)'), 'FTP_DATA_PORT_FORBIDDEN', NOWHERE),
  ...['1216,256,2,127,127,127', '127,0,0,1,256,257', '127,0,0,1,-5,6', '-1,2,3,4,5,6'].map((numbers) =>
    row('C06', numbers, answered(`227 (${numbers})`), 'FTP_BAD_PASV', NOWHERE),
  ),
  ...['1000000', '65536', '-5', '21abc', '+22', ' 22', '0x16', '٢٢'].map((port) =>
    row('C07', JSON.stringify(port), extended(`229 (|||${port}|)`), 'FTP_BAD_EPSV', NOWHERE),
  ),
  ...['|!|22|', '1112211', '   6446 '].map((inside) =>
    row('C09', JSON.stringify(inside), extended(`229 (${inside})`), 'FTP_BAD_EPSV', NOWHERE),
  ),
  ...['|1|10.0.0.5|22|', '|2|::1|22|'].map((inside) =>
    row('C10', inside, extended(`229 (${inside})`), 'FTP_BAD_EPSV', NOWHERE),
  ),
  ...['x 10,0,0,5,0,80 (127,0,0,1,200,10)', '(127,0,0,1,200)', '(127,0,0,1,200,10,1)'].map((text) =>
    row('C12', text, answered(`227 ${text}`), 'FTP_BAD_PASV', NOWHERE),
  ),
  row(
    'C13',
    'no parentheses',
    redirected(({ door }) => `227 =127,0,0,1,${door}`),
    FINE,
  ),
  row(
    'C13',
    'spaces',
    redirected(({ door }) => `227 (127, 0, 0, 1, ${door.replace(',', ', ')})`),
    FINE,
  ),
  row(
    'C13',
    'leading zeros are decimal',
    redirected(
      ({ door }) => `227 (127,000,000,001,${door.replaceAll(/\d+/g, (part) => part.padStart(3, '0'))})`,
    ),
    FINE,
  ),
  row(
    'C14',
    'a 229 to PASV',
    [
      ...typed(),
      { openData: true },
      { expect: 'PASV' },
      { send: '229 (|||{{port}}|)\r\n' },
      { acceptData: true },
      { expect: 'RETR f' },
      { dataSend: 'data' },
      { fin: 'data' },
      { send: '226 done\r\n' },
    ],
    FINE,
  ),
  row(
    'C09',
    'IBM i’s delimiter',
    [
      ...extended('229 (!!!{{port}}!)').slice(0, -3),
      { send: '502 no\r\n' },
      { openData: true },
      { expect: 'EPSV' },
      { send: '229 (!!!{{port}}!)\r\n' },
      { acceptData: true },
      { expect: 'RETR f' },
      { dataSend: 'data' },
      { fin: 'data' },
      { send: '226 done\r\n' },
    ],
    FINE,
  ),
  row(
    'C15',
    'the port refuses: once more by the other command, command by command, then an end',
    [
      [
        ...typed(),
        { openData: true },
        { shutData: true },
        { expect: 'PASV' },
        { send: '227 ({{pasv}})\r\n' },
        { expect: 'RETR f' },
        { send: '425 no\r\n' },
      ],
      [
        ...typed(),
        { openData: true },
        { shutData: true },
        { expect: 'EPSV' },
        { send: '229 (|||{{port}}|)\r\n' },
      ],
    ],
    { code: 'FTP_DATA_CONNECTION_FAILED', phase: 'data-connect' },
    { connections: 2 },
  ),
]
