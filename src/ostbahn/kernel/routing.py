from __future__ import annotations
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
@dataclass(frozen=True, slots=True)
class Stop:
    id: str
    is_town: bool
    value: int
    own: bool
    passable: bool
    location: str
@dataclass(frozen=True, slots=True)
class Link:
    a: int
    b: int
    sides: int
    hexes: tuple[str, ...]
@dataclass(frozen=True, slots=True)
class Network:
    stops: tuple[Stop, ...]
    links: tuple[Link, ...]
@dataclass(frozen=True, slots=True)
class Train:
    id: str
    cities: int
    stops: int
    skips_towns: bool
@dataclass(frozen=True, slots=True)
class Route:
    train: str
    stops: tuple[int, ...]
    links: tuple[int, ...]
    counted: tuple[int, ...]
    revenue: int
    sides: int
@dataclass(frozen=True, slots=True)
class Run:
    routes: tuple[Route, ...]
    revenue: int
    bound: int
    proven: bool
def counted_stops(train: Train, stops: Sequence[Stop]) -> tuple[int, ...]:
    if not train.skips_towns:
        return tuple(range(len(stops)))
    c=[i for i,s in enumerate(stops) if not s.is_town]
    t=sorted((i for i,s in enumerate(stops) if s.is_town), key=lambda i:-stops[i].value)[:max(0,train.stops-len(c))]
    return tuple(sorted(c+t))

class _Search:
    def __init__(self, net: Network, train: Train) -> None:
        self.net, self.train = net, train
        stops = net.stops
        locs: dict[str,int] = {}
        self.bit = [1 << locs.setdefault(s.location, len(locs)) for s in stops]
        keep: dict[tuple[int,int], list[int]] = {}
        for i,l in sorted(enumerate(net.links), key=lambda x:(x[1].sides.bit_count(), x[0])):
            if self.bit[l.a]==self.bit[l.b]: continue
            row = keep.setdefault((min(l.a,l.b),max(l.a,l.b)), [])
            if not any(net.links[j].sides & ~l.sides == 0 for j in row): row.append(i)
        self.adj: list[list[tuple[int,int,int]]] = [[] for _ in stops]
        for (a,b),row in keep.items():
            for i in row:
                self.adj[a].append((b,i,net.links[i].sides)); self.adj[b].append((a,i,net.links[i].sides))
        self.F = self._bounds()
    def _bounds(self) -> list[list[int]]:
        """F[v][k]: most that a walk from v can still earn with k more counted stops, not turning straight back."""
        stops, K = self.net.stops, self.train.stops
        n = len(stops)
        nb = [sorted({u for u,_,_ in self.adj[v]}) for v in range(n)]
        # D[k][v][u]: best continuing from v having come from u (u=-1 any)
        skips=self.train.skips_towns
        best0={ (v,u):0 for v in range(n) for u in nb[v]}
        D=[best0]
        for k in range(1,K+1):
            prev=D[-1]; cur=dict(prev)
            # several rounds for free towns
            for _ in range(n if skips else 1):
                changed=False
                for v in range(n):
                    if not stops[v].passable: continue
                    opts=[]
                    for w in nb[v]:
                        val=stops[w].value+ prev[(w,v)]
                        if skips and stops[w].is_town:
                            val=max(val,cur[(w,v)])
                        opts.append((val,w))
                    opts.sort(reverse=True)
                    for u in nb[v]:
                        x=0
                        for val,w in opts:
                            if w!=u: x=val; break
                        if x>cur[(v,u)]: cur[(v,u)]=x; changed=True
                if not changed: break
            D.append(cur)
        self.D=D; self.nb=nb
        # from a start stop with nobody behind
        start=[]
        for v in range(n):
            row=[0]
            for k in range(1,K+1):
                x=0
                for w in nb[v]:
                    val=stops[w].value+D[k-1][(w,v)]
                    if skips and stops[w].is_town: val=max(val,D[k][(w,v)])
                    x=max(x,val)
                row.append(x)
            start.append(row)
        return start
    def routes(self, forbidden: int, floor: list[int]) -> Iterator[tuple[int,int,tuple[int,...],tuple[int,...]]]:
        """Routes earning more than floor[0] (which the caller may raise), each once."""
        stops,train,adj,bit=self.net.stops,self.train,self.adj,self.bit
        K,C,skips=train.stops,train.cities,train.skips_towns
        own=[i for i,s in enumerate(stops) if s.own]
        D,F=self.D,self.F
        barred=0
        for s in own:
            root=s
            Froot=F[s]
            def value(cv,towns,cities):
                if not skips: return cv+sum(towns)
                room=K-cities
                return cv+sum(sorted(towns,reverse=True)[:room]) if room>0 else cv
            def bound(cv,towns,cities,v,came,second):
                # room for more counted stops
                if skips:
                    room=K-cities; ts=sorted(towns,reverse=True)
                    base=cv
                else:
                    room=K-cities-len(towns); ts=[]; base=cv+sum(towns)
                if room<0: return -1
                pre=[0]
                for t in ts[:room]: pre.append(pre[-1]+t)
                def arm(j): return (D[j][(v,came)] if came>=0 else F[v][j]) 
                best=0
                for j in range(room+1):
                    if second: x=arm(j)
                    else:
                        x=0
                        for i in range(j+1):
                            y=arm(i)+Froot[j-i]
                            if y>x:x=y
                    x+=pre[min(room-j,len(pre)-1)]
                    if x>best:best=x
                return base+best
            def extend(path,links,used,locs,cv,towns,cities,second,first):
                v=path[-1]
                # finish
                n=len(path)
                if n>=2:
                    count=n if not skips else cities+min(len(towns),K-cities)
                    if count>=2:
                        val=value(cv,towns,cities)
                        if val>floor[0]: yield val,used,tuple(path),tuple(links)
                came=path[-2] if n>=2 and not (second and len(path)==first+1 and False) else -1
                if (n==1 or stops[v].passable or v==root and not second) and bound(cv,towns,cities,v,came,second)>floor[0]:
                    if n==1 or stops[v].passable:
                        for u,l,sd in sorted(adj[v],key=lambda x:-stops[x[0]].value):
                            if sd&used or sd&forbidden or bit[u]&locs or (barred>>u)&1: continue
                            town=stops[u].is_town
                            c2=cities+(not town)
                            if c2>C: continue
                            if not skips and n+1>K: continue
                            if second and n==first and False: continue
                            path.append(u);links.append(l)
                            if town: towns.append(stops[u].value)
                            yield from extend(path,links,used|sd,locs|bit[u],cv+(0 if town else stops[u].value),towns,c2,second,first)
                            if town: towns.pop()
                            path.pop();links.pop()
                # switch to the second arm
                if not second and n>=2 and stops[root].passable:
                    rp=path[::-1]; rl=links[::-1]; lead=links[0]
                    for u,l,sd in adj[root]:
                        if l<=lead or sd&used or sd&forbidden or bit[u]&locs or (barred>>u)&1: continue
                        town=stops[u].is_town
                        c2=cities+(not town)
                        if c2>C: continue
                        if not skips and n+1>K: continue
                        t2=towns+[stops[u].value] if town else list(towns)
                        yield from extend(rp+[u],rl+[l],used|sd,locs|bit[u],cv+(0 if town else stops[u].value),t2,c2,True,n)
            st=stops[s]
            yield from extend([s],[],0,bit[s],0 if st.is_town else st.value,[st.value] if st.is_town else [],0 if st.is_town else 1,False,0)
            barred|=1<<s
def best_run(network: Network, trains: Sequence[Train], *, effort: int|None=None) -> Run:
    searches={}
    order=sorted(range(len(trains)),key=lambda i:(-trains[i].stops,-trains[i].cities,trains[i].id))
    for t in trains:
        k=(t.cities,t.stops,t.skips_towns)
        if k not in searches: searches[k]=_Search(network,t)
    def srch(i): t=trains[i]; return searches[(t.cities,t.stops,t.skips_towns)]
    def single(sr,forbidden,above=0):
        floor=[above]; best=None
        for r in sr.routes(forbidden,floor):
            floor[0]=r[0]; best=r
        return best
    tops={k:(single(s,0) or (0,0,(),())) for k,s in searches.items()}
    top=[tops[(trains[i].cities,trains[i].stops,trains[i].skips_towns)][0] for i in order]
    # greedy
    chosen=[];forb=0
    for i in order:
        r=single(srch(i),forb)
        chosen.append(r)
        if r: forb|=r[1]
    lb=sum(r[0] for r in chosen if r)
    if len(trains)>1 and lb<sum(top):
        total=sum(top)
        pools={}
        for n_,i in enumerate(order):
            t=trains[i];k=(t.cities,t.stops,t.skips_towns)
            need=lb-(total-top[n_])
            if k in pools: continue
            rows={}
            for r in srch(i).routes(0,[max(0,need)]):
                o=rows.get(r[1])
                if o is None or o[0]<r[0]: rows[r[1]]=r
            pools[k]=sorted(rows.values(),key=lambda r:(-r[0],r[1].bit_count(),r[2]))
        best=[lb,chosen]
        lists=[pools[(trains[i].cities,trains[i].stops,trains[i].skips_towns)] for i in order]
        same=[n_>0 and lists[n_] is lists[n_-1] for n_ in range(len(order))]
        suffix=[sum(top[n_:]) for n_ in range(len(order)+1)]
        def go(n_,used,sofar,picks,start):
            if n_==len(order):
                if sofar>best[0]: best[0]=sofar; best[1]=list(picks)
                return
            if sofar+suffix[n_]<=best[0]: return
            L=lists[n_]
            for j in range(start if same[n_] else 0,len(L)):
                r=L[j]
                cap = r[0]*sum(1 for m in range(n_,len(order)) if m==n_ or same[m]) if False else r[0]+suffix[n_+1]
                if same[n_+1] if n_+1<len(order) else False:
                    m=n_+1;cap=r[0]
                    while m<len(order) and same[m]: cap+=min(r[0],top[m]); m+=1
                    cap+=suffix[m]
                if sofar+cap<=best[0]: break
                if r[1]&used: continue
                picks.append(r); go(n_+1,used|r[1],sofar+r[0],picks,j+1); picks.pop()
            # leave this train (and the like ones after it) unused
            m=n_+1
            while m<len(order) and same[m]: m+=1
            go(m,used,sofar,picks+[None]*(m-n_),0)
        go(0,0,0,[],0)
        lb,chosen=best
    routes=[]
    for i,r in zip(order,chosen):
        if r:
            c=counted_stops(trains[i],[network.stops[x] for x in r[2]])
            routes.append(Route(trains[i].id,r[2],r[3],tuple(r[2][x] for x in c),r[0],r[1]))
    return Run(tuple(routes),lb,lb,True)
