#include "viewer/report/style.hpp"

#include <fmt/format.h>

namespace plumbline::viewer {
namespace {

// Kinds of time by Okabe and Ito, whose smallest distance under simulated protanopia, deuteranopia and tritanopia is
// 10.9 (CIEDE2000).
constexpr const char* kKinds =
    "--expected:#0072b2;--inherited:#56b4e9;--structure:#e69f00;--stack:#d55e00;--gained:#009e73;--set-up:#cc79a7;"
    "--polling:#f0e442;";

constexpr const char* kLight =
    "--paper:#ffffff;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--card:#f6f8fa;--bad:#b2182b;--good:#1a6f33;"
    "--warn:#8a5a00;--compute:#c3c8d0;--not-judged:#eceef1;--outside:#dfe2e7;--off-cpu:#9aa2ad;--all:#57606a;";

constexpr const char* kDark =
    "--paper:#16181d;--ink:#e6e8eb;--soft:#a3abb5;--line:#3a3f47;--card:#1f2329;--bad:#ff8f7f;--good:#6fd08c;"
    "--warn:#ffb95e;--compute:#565d68;--not-judged:#2b3038;--outside:#3a3f47;--off-cpu:#7d8590;--all:#a3abb5;";

constexpr const char* kPage = R"(
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:68rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"DejaVu Sans",sans-serif}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .5rem}
h2{font-size:1.25rem;margin:2.2rem 0 .7rem;padding-top:.8rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.2rem 0 .5rem}
h4{font-size:1rem;margin:1rem 0 .3rem}
p{margin:.4rem 0;max-width:75ch}
small,.soft,.legend,figcaption{color:var(--soft)}
small,.legend,figcaption{font-size:.85em}
code,pre{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.85em;overflow-wrap:anywhere}
pre{margin:.2rem 0;padding:.6rem .8rem;background:var(--paper);border:1px solid var(--line);border-radius:4px;white-space:pre-wrap}
figure{margin:.5rem 0}
.brand{color:var(--soft);margin:0 0 .3rem}
.verdict{border-left:6px solid var(--line);padding-left:1rem}
.verdict.is-bad{border-color:var(--bad)}
.verdict.is-good{border-color:var(--good)}
.verdict.is-warn{border-color:var(--warn)}
.bad{color:var(--bad);font-weight:600}
.good{color:var(--good)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.6rem 0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
.card{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.2rem 1.1rem 1rem;margin:1rem 0}
.card h3{font-size:1.15rem}
.sign{display:inline-block;min-width:1.7em;padding:0 .3em;text-align:center;border:2px solid var(--bad);border-radius:1em;color:var(--bad)}
.price{font-weight:600}
.cost{display:block;width:100%;max-width:40rem;height:10px;margin:.3rem 0 .6rem}
.track{fill:var(--not-judged);stroke:var(--line)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:.5rem 0;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .7rem .35rem 0;border-bottom:1px solid var(--line)}
td{overflow-wrap:break-word}
td:first-child small{overflow-wrap:anywhere}
td code,td span{white-space:nowrap}
.rows td:first-child{width:58%}
.rows td:last-child{min-width:9rem}
th{color:var(--soft);font-weight:600;white-space:nowrap}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.figure{display:block;width:100%;min-width:44rem;height:auto}
svg text{fill:var(--ink);font:13px system-ui,"DejaVu Sans",sans-serif}
.bars{display:block;width:100%;min-width:12rem;height:38px}
.key{display:inline-block;width:.8em;height:.8em;margin-left:.8em}
.legend .key:first-child{margin-left:0}
.step{stroke:var(--soft);stroke-dasharray:2 2}
.bracket{fill:none;stroke:var(--ink);stroke-width:1.5;vector-effect:non-scaling-stroke}
.mark{fill:var(--ink)}
.over{fill:none}
.inherited-over,.gained-over{fill:url(#hatch);opacity:.55}
.not-judged-over,.off-cpu-over{fill:url(#dots);opacity:.7}
.not-judged,.outside,.compute{stroke:var(--soft);stroke-width:.5}
summary{cursor:pointer;color:var(--soft)}
.parts{list-style:none;padding:0;margin:.8rem 0;display:flex;flex-wrap:wrap;gap:.2rem 1rem}
a{color:inherit}
@page{size:A4;margin:14mm}
@media print{body{max-width:none;padding:0;font-size:10.5pt}table{font-size:8.5pt}td code,td .soft,td .good,td .bad{white-space:normal}.card,tr,figure,svg{break-inside:avoid}h2,h3,h4{break-after:avoid}.parts,summary{display:none}.wide{overflow:visible}.figure,.bars{min-width:0}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)";

std::string fills() {
  std::string text;
  for (const char* name : {"compute", "expected", "inherited", "structure", "stack", "gained", "polling", "off-cpu",
                           "not-judged", "set-up", "outside", "all"})
    text += fmt::format(".{0}{{fill:var(--{0})}}", name);
  return text;
}

}  // namespace

std::string style_sheet() {
  return fmt::format(
      "\n:root{{color-scheme:light dark;{0}{1}}}\n@media screen and "
      "(prefers-color-scheme:dark){{:root{{{2}}}}}\n{3}\n{4}",
      kKinds, kLight, kDark, fills(), kPage);
}

}  // namespace plumbline::viewer
